//! The schemas that are handed to the tools of others: equal to those that documents are held to.

use std::collections::BTreeSet;

use provost_core::schema::{CATALOGUE, named};

use crate::pages::same_as_page;
use crate::spec::docs;

#[test]
fn every_schema_has_its_page_and_every_page_its_schema() {
    let names: Vec<&str> = CATALOGUE.iter().map(|schema| schema.name).collect();
    assert!(names.is_sorted(), "{names:?}");
    for schema in CATALOGUE {
        same_as_page(&format!("schemas/{}.json", schema.name), &schema.json_schema());
        assert_eq!(named(schema.name), Some(*schema));
    }
    let pages: BTreeSet<String> = std::fs::read_dir(docs().join("schemas"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    let known: BTreeSet<String> = names.iter().map(|name| format!("{name}.json")).collect();
    assert_eq!(pages, known);
    assert_eq!(named("nothing"), None);
}
