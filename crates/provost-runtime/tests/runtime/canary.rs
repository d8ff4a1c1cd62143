//! Each flush is needed: with any one of them ignored, the search for broken promises finds one.

use std::collections::BTreeMap;

use crate::crashes::{LONG, SHORT, Search, Visited};
use crate::disk::{Model, Plan, Site, World};
use crate::history::{Process, Shared};

/// All places that flush, over a run that is cut off everywhere and taken up again.
fn sites() -> Vec<Site> {
    let mut sites = std::collections::BTreeSet::new();
    for at in 1..200 {
        let model = Model::new(World::default());
        let history = Shared::default();
        model.plan(Plan::Stop { at, part: 600 });
        Process::new(&model, &history).play(LONG, 1);
        sites.extend(model.sites());
        let later = Model::new(model.world().clone());
        Process::new(&later, &history).play(LONG, 1);
        sites.extend(later.sites());
    }
    sites.into_iter().collect()
}

fn search(deaf: Option<Site>) -> Visited {
    let search = Search { deaf, first_only: true, parts: &[0, 600] };
    let mut visited = Visited::default();
    for scripts in [&[LONG][..], &SHORT[..2]] {
        search.run(scripts, &mut visited);
    }
    visited
}

#[test]
fn with_every_flush_nothing_is_missed() {
    assert_eq!(search(None).broken, None);
}

#[test]
fn every_flush_is_missed() {
    let mut red = BTreeMap::new();
    for site in sites() {
        let visited = search(Some(site));
        println!("{}:{} ignored, after {} states: {:?}", site.0, site.1, visited.states, visited.broken);
        red.insert(site, visited.broken);
    }
    assert_eq!(red.len(), 8, "places that flush: {red:?}");
    assert!(red.values().all(Option::is_some), "a flush that nothing misses: {red:?}");
}
