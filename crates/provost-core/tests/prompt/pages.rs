//! The pages whole, so that a changed word is seen by whoever changes it.

use provost_core::prompt::{Assessment, Context, render};
use provost_core::role::Role;
use provost_core::signal::Name;
use strum::VariantArray as _;

use crate::example::{first, judged, rework};

#[test]
fn of_a_developer() {
    insta::assert_snapshot!(render(Role::Developer, &first()));
}

#[test]
fn of_a_developer_whose_work_came_back() {
    insta::assert_snapshot!(render(Role::Developer, &rework()));
}

#[test]
fn of_a_critic() {
    insta::assert_snapshot!(render(Role::Critic, &judged()));
}

#[test]
fn of_an_auditor() {
    insta::assert_snapshot!(render(Role::Auditor, &judged()));
}

#[test]
fn every_role_is_told_of_its_own_signals_and_of_no_others() {
    for role in Role::VARIANTS {
        let page = render(*role, &Context::default());
        for name in Name::VARIANTS {
            assert_eq!(page.contains(&format!("### {name}\n")), name.may_be_sent_by(*role), "{role} {name}");
        }
    }
}

#[test]
fn an_auditor_learns_that_nobody_reviewed() {
    let page = render(Role::Auditor, &Context { assessment: Some(Assessment::Bypassed), ..judged() });
    assert!(page.contains("no critic answered in time"));
}

#[test]
fn a_context_is_a_document() {
    for context in [first(), rework(), judged()] {
        let text = serde_json::to_string(&context).unwrap();
        assert_eq!(serde_json::from_str::<Context>(&text).unwrap(), context);
    }
}
