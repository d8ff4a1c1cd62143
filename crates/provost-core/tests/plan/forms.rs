//! What a right plan becomes, in both forms, and what does not change its digest.

use std::fmt::Write as _;

use provost_core::plan::{self, CriterionKind, NotAPlan, Plan, Priority, Risk, Shape};

use crate::{digest, read, render};

/// The example of the page on plans.
fn example() -> String {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/plan.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, rest) = page.split_once("````markdown\n").unwrap();
    rest.split_once("````\n").unwrap().0.to_owned()
}

#[test]
fn the_example_of_the_page_is_read_without_a_warning() {
    let plan::PlanRead { plan, warnings, omitted } = read(&example());
    assert_eq!((warnings, omitted), (vec![], 0));
    assert_eq!(plan.title, "Passwords can be reset");
    assert!(plan.overview.starts_with("People who forgot"), "{}", plan.overview);
    let phases: Vec<_> = plan.phases.iter().map(|phase| (phase.number, &*phase.name)).collect();
    assert_eq!(phases, [(1, "The token"), (2, "The page")]);
    let [token, expiry, page] = plan.tasks.as_slice() else { panic!("{:#?}", plan.tasks) };

    assert_eq!((token.id.as_str(), token.phase, token.risk), ("1-1", Some(1), Risk::High));
    assert!(token.work.contains("\n# not a heading: code is kept as it is\n```"), "{}", token.work);
    let kinds: Vec<&CriterionKind> = token.criteria.iter().map(|it| &it.kind).collect();
    assert_eq!(kinds, [&CriterionKind::Provable { verify: 0 }, &CriterionKind::Judged]);
    assert_eq!(token.verify[0].argv, ["cargo", "test", "reset::token"]);
    let reading: Vec<_> = token.reading.iter().map(|it| (&*it.pattern, it.note.as_deref())).collect();
    assert_eq!(reading, [("src/auth/**", Some("how sessions are stored")), ("docs/security.md", None)]);
    assert_eq!(token.files, ["migrations/*.sql", "src/reset/token.rs"]);

    assert_eq!(expiry.files, ["src/reset/{token,expiry}.rs"]);
    assert_eq!((page.id.as_str(), page.priority, page.propose), ("2-page-1", Priority::P1, true));
    let checks: Vec<_> = page
        .verify
        .iter()
        .map(|it| (&*it.name, it.environment.as_deref(), it.argv.len(), it.expect_exit))
        .collect();
    assert_eq!(checks, [("page tests", None, 4, 0), ("links", Some("staging"), 2, 1)]);
    let shape = Shape::of(&plan);
    assert_eq!((shape.downstream.as_slice(), shape.levels()), (&[2, 0, 0][..], &[vec![0], vec![1, 2]][..]));
}

#[test]
fn the_json_of_the_page_is_read_without_a_warning() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/plan.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, rest) = page.split_once("```json\n").unwrap();
    assert_eq!(read(rest.split_once("```\n").unwrap().0).warnings, []);
}

#[test]
fn what_is_frozen_is_read_back_by_both_readers() {
    let plan = read(&example()).plan;
    let frozen = plan.canonical().unwrap();
    assert_eq!(Plan::from_canonical(&frozen).unwrap(), plan);
    assert_eq!(plan::read("frozen.json", &frozen).unwrap().plan, plan);
    assert_eq!(read(&render::markdown(&plan)).plan, plan);
    let spaced = [b" ", frozen.as_slice()].concat();
    assert_eq!(Plan::from_canonical(&spaced), Err(NotAPlan::Spelling));
    let other = String::from_utf8(frozen).unwrap().replace("provost/plan/1", "provost/plan/2");
    assert!(matches!(Plan::from_canonical(other.as_bytes()), Err(NotAPlan::Form(_))));
}

#[test]
fn spelling_does_not_change_the_digest() {
    let plain = "# T\n\nover\n\nview\n\n### Phase 1: p\n\n#### Task a: b\n**Work**: do it\n\nand this\n\n\
        **Acceptance Criteria**:\n- [ ] `x` exits 0\n- [ ] it returns `y` at once\n\n**Files**: a/b, c\n\n\
        #### Task b: c\n**Work**: w\n**Acceptance Criteria**\n- [ ] `z` exits 0\n**Blocked By**: a, c\n\
        #### Task c: d\n**Work**: w\n**Acceptance Criteria**\n- [ ] `z` exits 0\n";
    let expected = digest(&read(plain).plan);
    let others = [
        plain.replace('\n', "\r\n"),
        format!("\u{feff}{plain}"),
        plain.replace('\n', "  \n"),
        plain.replace("\n\n", "\n\n\n\n"),
        plain.replace("- [ ]", "1. [x]"),
        plain.replace("returns `y` at", "returns\n  `y`   at"),
        plain.replace("a/b, c", "\n* c\n* `./a//b`\n* c"),
        plain.replace("a, c", "\n- c\n- Task-a").replace("Task-a", "a"),
        plain
            .replace("**Files**: a/b, c\n\n", "")
            .replace("**Work**: do it", "**FILES** – a/b, c\n**work:** do it"),
        plain.replace("**Work**: do it", "do it"),
        plain.replace("#### Task a: b", "  #### task  a :  b  ####"),
        plain.replace("#### Task b", "---\n\n<!-- #### Task x: y\n-->\n#### Task b"),
        plain.replace("**Files**", "- **Files**"),
        plain.replace(
            "\n#### Task b",
            "**Priority**: p2\n**Risk**: Medium\n**Mode**: no\n**Environment**: all\n#### Task b",
        ),
    ];
    for other in others {
        let again = read(&other);
        assert_eq!(digest(&again.plan), expected, "{other}");
        assert_eq!(again.warnings, [], "{other}");
    }
    for other in [plain.replace("do it", "do that"), plain.replace("exits 0", "exits 1")] {
        assert_ne!(digest(&read(&other).plan), expected, "{other}");
    }
}

#[test]
fn what_has_no_label_is_kept_as_work() {
    let text = "# T\n#### Task a: b\nfirst\n\n**Acceptance Criteria**:\n- `x` exits 0\n\n**Notes**: mind the gap\n\n**Work**:\nsecond\n";
    let read = read(text);
    assert_eq!(read.plan.tasks[0].work, "first\n\nsecond\n\n**Notes**: mind the gap");
    assert_eq!(read.plan.tasks[0].criteria.len(), 1);
    assert_eq!(read.warnings.len(), 1);
}

#[test]
fn bold_words_in_prose_are_no_labels() {
    let text = "# T\n#### Task a: b\n**Work**: w\n**Files** that change often stay.\n- **Note**: x\n**Very** important\n**Acceptance Criteria**\n- `x` exits 0\n";
    let read = read(text);
    assert_eq!(
        read.plan.tasks[0].work,
        "w\n**Files** that change often stay.\n- **Note**: x\n**Very** important"
    );
    assert_eq!((read.warnings.len(), read.plan.tasks[0].files.len()), (0, 0));
}

#[test]
fn a_plan_of_twenty_thousand_tasks() {
    let mut text = String::from("# Large\n");
    for at in 0..20_000_usize {
        let blockers = [at.checked_sub(1), at.checked_sub(7), at.checked_sub(100)];
        let blockers: Vec<String> = blockers.into_iter().flatten().map(|it| format!("t-{it}")).collect();
        let blockers = if blockers.is_empty() { "none".to_owned() } else { blockers.join(", ") };
        let _ = write!(
            text,
            "#### Task t-{at}: do {at}\n**Work**: part {at}\n**Blocked By**: {blockers}\n**Acceptance Criteria**\n- [ ] `make t{at}` exits 0\n---\n"
        );
    }
    let read = read(&text);
    assert_eq!((read.plan.tasks.len(), read.warnings.len()), (20_000, 0));
    let shape = Shape::of(&read.plan);
    assert!(shape.is_exact);
    assert_eq!((shape.downstream[0], shape.downstream[19_999], shape.levels().len()), (19_999, 0, 20_000));
    let frozen = read.plan.canonical().unwrap();
    assert_eq!(Plan::from_canonical(&frozen).unwrap(), read.plan);
}
