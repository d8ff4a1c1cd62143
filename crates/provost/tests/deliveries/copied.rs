//! A repository that was copied with its record, and one that was moved.

use std::fs;
use std::process::Command;

use crate::hermetic;
use crate::project::{Project, Ran, plan};

#[test]
fn a_copy_performs_nothing_while_its_original_is_there() {
    let project = Project::new(&plan(&[("one", "none")]));
    assert_eq!(project.run(&["run", "plan.md"]).code, Some(0));
    let copy = project.folder().join("copy");
    let copied = Command::new("cp").arg("-r").args([&project.root(), &copy]).status().unwrap();
    assert!(copied.success());
    let in_copy =
        |words: &[&str]| Ran::of(&hermetic::provost(&copy, project.folder(), words).output().unwrap());
    for words in [&["run", "plan.md", "--again"] as &[&str], &["clean"]] {
        let refused = in_copy(words);
        assert_eq!(refused.code, Some(9), "{words:?}: {}{}", refused.out, refused.err);
        assert!(refused.err.contains("is a copy of the project in"), "{}", refused.err);
    }
    assert_eq!(in_copy(&["verify"]).code, Some(0), "reading harms nobody");
    // The original moves away; what is left goes on as what it was.
    fs::remove_dir_all(project.root()).unwrap();
    let ran = in_copy(&["run", "plan.md", "--again"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
}
