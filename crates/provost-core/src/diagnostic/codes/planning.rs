//! The codes of planning, apart because there are as many as of everything else.

use super::super::{Code, Exit};
use super::codes;

codes! {
    /// A document handed in as an intent is not an object with an id.
    INTENT_NOT_AN_INTENT = "intent::not_an_intent", Usage,
        "hand in the JSON or YAML of an intent; `provost intent new \"GOAL\"` writes one";
    /// An intent does not have the form that its schema asks for.
    INTENT_SCHEMA = "intent::schema", Blocked,
        "mend the value as the message says";
    /// The checksum of an intent is not that of its content.
    INTENT_CHECKSUM = "intent::checksum", Blocked,
        "see that nobody changed the intent, then seal it again with `provost intent seal FILE`";
    /// An intent carries something to be run.
    INTENT_RED_LINE_I1 = "intent::red_line_i1", Aborted,
        "remove it; an intent says what shall be, never what to run";
    /// An intent that asks nobody has questions.
    INTENT_RED_LINE_I2 = "intent::red_line_i2", Blocked,
        "set question_budget to 0 and question_policy to `never`, or choose another mode";
    /// An intent of high risk asks nobody.
    INTENT_RED_LINE_I3 = "intent::red_line_i3", Blocked,
        "choose `semi_auto` or `interactive`";
    /// A planned command names no evidence.
    INTENT_RED_LINE_I4 = "intent::red_line_i4", Blocked,
        "add at least one reference to what the command rests on";
    /// An intent does not forbid what is made up.
    INTENT_RED_LINE_I5 = "intent::red_line_i5", Blocked,
        "set no_fabrication and registry_only to true";
    /// An intent changes something and nobody has to look at it.
    INTENT_REVIEW_MISSING = "intent::review_missing", Blocked,
        "name in risk.requires_review what somebody has to look at";
    /// An intent was rejected or superseded.
    INTENT_STATUS = "intent::status", Blocked,
        "plan the intent that took its place, or propose this one again";
    /// An intent is still a draft.
    INTENT_DRAFT = "intent::draft", Done,
        "set status to `proposed` when it is ready";
    /// A reference to evidence cannot be one.
    INTENT_REFERENCE = "intent::reference", Blocked,
        "write it as `scheme://path`, such as `scan://file/src/lib.rs`";
    /// A path of an intent is not below the top of the repository.
    INTENT_PATH = "intent::path", Blocked,
        "write the path from the top of the repository, without `..`";
    /// A goal is to be planned with a workflow that the registry does not have.
    INTENT_WORKFLOW = "intent::workflow", Usage,
        "name a workflow of the registry, the file name of one in .provost/registry/workflows";
    /// The registry has nothing that a goal could be planned with.
    INTENT_NO_COMMAND = "intent::no_command", Usage,
        "add a command that writes, and an agent, to .provost/registry; `provost rules check` says what is broken";
    /// An intent cannot be written to its file.
    INTENT_OUTPUT = "intent::output", Usage,
        "name another file with `--out FILE`";
    /// Answers belong to another pack, run or intent.
    ANSWERS_PACK = "answers::pack", Usage,
        "answer the pack that `provost questions` shows";
    /// An answer is for no question of the pack, or for one that is answered already.
    ANSWERS_QUESTION = "answers::question", Usage,
        "answer each question of the pack once";
    /// An answer is not of the kind that it says.
    ANSWERS_VALUE = "answers::value", Usage,
        "choose one of the suggested answers, or answer with text";
    /// A critical question has no answer by a person.
    ANSWERS_CRITICAL = "answers::critical", Usage,
        "answer the question; a default counts only where the policy has auto_fallback";
    /// An answer tries to replace a command, a workflow or an agent.
    ANSWERS_OVERRIDE = "answers::override", Usage,
        "answer the question; what is planned is changed in the intent";
    /// A reference or a path in an answer cannot be one.
    ANSWERS_REFERENCE = "answers::reference", Usage,
        "write a reference as `scheme://path` and a path from the top of the repository";
    /// The checksum of answers is not that of their content.
    ANSWERS_CHECKSUM = "answers::checksum", Usage,
        "have the answers written by `provost answer`, which seals them";
    /// Answers carry something to be run.
    ANSWERS_RED_LINE = "answers::red_line", Aborted,
        "remove it; an answer says what is wanted, never what to run";
    /// Two files of a registry, or two pins, claim one id.
    REGISTRY_RIVALS = "registry::rivals", Usage,
        "keep one of them, or give the others the status `draft` or `deprecated` and a version of their own";
    /// A command of the registry carries something to be run.
    REGISTRY_RED_LINE = "registry::red_line", Usage,
        "remove the key; a command says what can be planned, never what to run";
    /// A registry, or a file of it, cannot be read.
    REGISTRY_UNREADABLE = "registry::unreadable", Usage,
        "see that it exists, is a folder or a regular file, and can be read; `provost init` writes a first registry";
    /// A registry has more files than Provost reads.
    REGISTRY_TOO_MANY = "registry::too_many", Usage,
        "split the registry, or move what is not used out of it";
    /// A command names a workflow or a phase that does not exist.
    REGISTRY_LINK = "registry::link", Done,
        "name a workflow of this registry and one of its phases, or leave the link as a remark";
    /// Content does not say where it came from.
    REGISTRY_LINEAGE = "registry::lineage", Done,
        "add `lineage` with `introduced_in` and `derived_from`; null says that it has no parent";
    /// A file or folder of memory cannot be read.
    MEMORY_UNREADABLE = "memory::unreadable", Usage,
        "see that it exists, is a folder or a regular file, and can be read; `provost init` makes the folder";
    /// Two items of memory have one id.
    MEMORY_RIVALS = "memory::rivals", Usage,
        "remove one of them, or give it another id";
    /// Something that is to be remembered is remembered already.
    MEMORY_KNOWN = "memory::known", Refused,
        "change the file that was named instead";
    /// The result of a scan cannot be written.
    SCAN_OUTPUT = "scan::output", Fault,
        "name a file in a folder that exists and that you may write";
    /// A file in `rules/` is not a rule.
    RULES_FORM = "rules::form", Aborted,
        "give the rule the keys that docs/rules.md shows";
    /// A rule holds something that could be executed, or does not forbid it.
    RULES_RED_LINE = "rules::red_line", Aborted,
        "remove the key and write `constraints: {execution: forbidden}`; a rule says what is allowed and does nothing";
    /// A rule demands no evidence.
    RULES_NO_EVIDENCE = "rules::no_evidence", Aborted,
        "name under `evidence_required` what an evaluation of the rule has to record";
    /// A machine cannot decide a rule.
    RULES_UNDECIDABLE = "rules::undecidable", Aborted,
        "write it with the words and values that docs/rules.md lists";
    /// A condition uses an operator that does not exist.
    RULES_UNKNOWN_OPERATOR = "rules::unknown_operator", Aborted,
        "use one of the operators and predicates that docs/rules.md lists";
    /// A condition is too large.
    RULES_TOO_COMPLEX = "rules::too_complex", Aborted,
        "split the rule into several; each may have 64 conditions, 8 levels deep";
    /// A rule does not say what it applies to.
    RULES_NO_SCOPE = "rules::no_scope", Aborted,
        "name a type, a risk or a phase under `scope`";
    /// A rule does not say where it comes from.
    RULES_LINEAGE = "rules::lineage", Aborted,
        "write `introduced_in`, `derived_from` and `supersedes` under `lineage`";
    /// Two rules have one id.
    RULES_DUPLICATE = "rules::duplicate", Aborted,
        "keep one of them, or give the newer another id and name the older under `supersedes`";
    /// Rules supersede each other in a circle.
    RULES_CYCLE = "rules::cycle", Aborted,
        "remove one of them from the `supersedes` of another";
    /// A rule demands evidence that nothing records.
    RULES_UNKNOWN_EVIDENCE = "rules::unknown_evidence", Done,
        "use one of the names that docs/rules.md lists; until then it is recorded as absent";
    /// A rule has a key that nothing reads.
    RULES_UNREAD = "rules::unread", Done,
        "remove the key, or move it under `metadata`";
    /// The registry has nothing usable of a name.
    REGISTRY_MISSING = "registry::missing", Blocked,
        "name content that is in the registry and active; `provost rules check` lists what is wrong with it";
    /// A pinned version is not the one that is there.
    REGISTRY_DRIFT = "registry::drift", Blocked,
        "pin the version that is there, or restore the one that is pinned";
    /// The policy wants versions pinned and some are not.
    REGISTRY_UNPINNED = "registry::unpinned", Blocked,
        "hand in a lock file with `--lock`, or plan with `pins: optional`";
    /// There is no memory pack, or too small a one.
    CONTEXT_MEMORY = "context::memory", Blocked,
        "make `.provost/memory/` (`provost init` does), or hand in a pack with `--memory`";
    /// There are no facts about the project.
    CONTEXT_FACTS = "context::facts", Blocked,
        "let `provost plan` scan the project, or hand in a pack with `--facts`";
    /// A file of the rules cannot be used.
    RULES_BROKEN = "rules::broken", Aborted,
        "mend or remove the file; nobody can tell what it would have forbidden";
    /// A rule lacks a fact about this input.
    RULES_UNDECIDED = "rules::undecided", Blocked,
        "provide the fact that the rule asks for, or change the rule so that it can do without";
    /// A rule denies something planned.
    RULES_DENY = "rules::deny", Blocked,
        "change what the rule names; `provost rules explain RUN COMMAND` shows why it fired";
    /// A blocking rule denies, or a critical command is denied.
    RULES_HARD_DENY = "rules::hard_deny", Aborted,
        "rethink what is planned; editing data is not enough";
    /// Rules ask for a model and there is no catalogue.
    ROUTING_NO_CATALOGUE = "routing::no_catalogue", Blocked,
        "write a model into `.provost/registry/models/`; `provost init` does for the agents that it finds";
    /// A rule demands a model that the policy forbids.
    ROUTING_CONTRADICTION = "routing::contradiction", Aborted,
        "change the policy or the rule; both cannot be satisfied";
    /// Every model is too dear.
    ROUTING_BUDGET = "routing::budget", Blocked,
        "raise the budget, or add a cheaper model";
    /// No model of the catalogue may be used.
    ROUTING_NO_MODEL = "routing::no_model", Blocked,
        "add a model that may see this work, or change the policy";
    /// The policy forbids something planned.
    POLICY_FORBIDS = "policy::forbids", Blocked,
        "take it out of the intent, or plan with another policy";
    /// The graph of the plan is not sound.
    GRAPH_INVALID = "graph::invalid", Blocked,
        "split the intent, or mend what the message names";
    /// The graph of the plan is not complete.
    GRAPH_INCOMPLETE = "graph::incomplete", Blocked,
        "answer so that something is left to do, or write another intent";
    /// Something open may neither be asked nor settled.
    PLANNING_UNSETTLED = "planning::unsettled", Blocked,
        "settle it in the intent, or plan with a mode and a budget that let it be asked";
    /// A question lacks the evidence that the policy wants.
    PLANNING_QUESTION_EVIDENCE = "planning::question_evidence", Blocked,
        "lower `question_rules.min_evidence_count`, or name more evidence in the intent";
    /// Nobody answered and no default may stand in.
    PLANNING_UNANSWERED = "planning::unanswered", Blocked,
        "plan again and answer, or settle it in the intent";
    /// Answers contradict verdicts again and again.
    PLANNING_CONFLICT = "planning::conflict", Blocked,
        "write another intent, or change the rule that the answers contradict";
    /// A document of Provost is not what it should be.
    PLANNING_ARTIFACT = "planning::artifact", Aborted,
        "report it; this is a defect of Provost";
    /// The change is larger than its budget.
    REVIEW_BUDGET = "review::budget", Blocked,
        "raise the budget, or split the intent";
    /// A required review has no gate.
    REVIEW_UNCOVERED = "review::uncovered", Blocked,
        "name the review's category in the intent";
    /// What is frozen does not hold together.
    FREEZE_FAILED = "freeze::failed", Blocked,
        "name only content that is in the registry";
    /// There is no such run.
    PLANNING_UNKNOWN_RUN = "planning::unknown_run", Usage,
        "`provost status` lists the runs; the beginning of an id is enough";
    /// The run is not frozen.
    PLANNING_NOT_FROZEN = "planning::not_frozen", Refused,
        "answer its questions or mend what stopped it; `provost show RUN` says which";
    /// The plan has no such gate.
    PLANNING_NO_GATE = "planning::no_gate", Refused,
        "name one of the gates that the message lists, or none to approve all";
    /// An approval lacks something.
    PLANNING_APPROVAL = "planning::approval", Usage,
        "say who approves and why";
    /// The run does not wait for answers.
    PLANNING_NOT_WAITING = "planning::not_waiting", Refused,
        "`provost show RUN` says where it is; `provost plan --again RUN` makes a successor";
    /// A frozen plan changes nothing.
    PLANNING_NOTHING_TO_DELIVER = "planning::nothing_to_deliver", Refused,
        "plan a command that writes; a plan that only looks is complete when it is frozen";
    /// A file that a plan should be made from cannot be read.
    PLANNING_INPUT = "planning::input", Usage,
        "name a regular file that you may read";
    /// The folder for a plan holds something else.
    PLANNING_OUT_TAKEN = "planning::out_taken", Refused,
        "name a folder that does not exist";
    /// The folder for a plan cannot be written.
    PLANNING_OUT_FAILED = "planning::out_failed", Fault,
        "name a folder in one that exists and that you may write";
    /// A frozen plan is not what was frozen.
    PLANNING_UNVERIFIED = "planning::unverified", Unverified,
        "take the plan from where it was not changed, or plan again";
    /// Nothing of that name was judged by rules.
    PLANNING_UNKNOWN_COMMAND = "planning::unknown_command", Usage,
        "name a command or a workflow of the plan; `provost show RUN` lists them";
}
