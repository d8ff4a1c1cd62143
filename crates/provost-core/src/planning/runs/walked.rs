//! From a run that was planned to what the record keeps of it: names and digests, cut to what a record holds.

use super::{Asked, Walked};
use crate::diagnostic::clipped;
use crate::digest::Digest;
use crate::planning::account::Account;
use crate::planning::files::NotFrozen;
use crate::planning::manifest;
use crate::planning::policy::Policy;
use crate::planning::walk::Run;

/// The most characters of a question on the record; the whole of it is in its document.
const QUESTION_MAX: usize = 120;

/// The most questions on the record.
const QUESTIONS_MAX: usize = 20;

/// The most characters of a title on the record.
const TITLE_MAX: usize = 200;

impl Walked {
    /// What the record keeps of a run whose documents are the artifact `bundle`, planned in a project of that policy.
    pub fn of(run: &Run, bundle: Digest, project: &Policy) -> Result<Walked, NotFrozen> {
        let account = Account::read(&run.files)?;
        let questions = account.questions.iter().flat_map(|pack| &pack.questions).take(QUESTIONS_MAX);
        let asked = questions.map(|question| Asked {
            id: question.question_id.clone(),
            text: clipped(&question.question_text, QUESTION_MAX),
        });
        Ok(Walked {
            run_id: run.run_id.clone(),
            intent_id: clipped(&run.intent_id, TITLE_MAX),
            title: clipped(account.title.as_deref().unwrap_or(&run.intent_id), TITLE_MAX),
            supersedes: run.manifest.supersedes.clone(),
            project_policy: project.digest().ok(),
            steps: run.steps.clone(),
            bundle,
            manifest: Digest::of(run.file(manifest::FILE).unwrap_or_default()),
            questions: asked.collect(),
            gates: account.gates.into_iter().map(|gate| gate.category).collect(),
        })
    }
}
