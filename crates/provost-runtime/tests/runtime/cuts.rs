//! What a power cut can leave of a modelled disk: every legal state where there are few, the telling ones and a
//! seeded sample where there are many.

use std::collections::BTreeSet;

use crate::disk::{Bytes, Node, SECTOR, Tree, World};

/// Up to this many combinations are all visited.
const ALL_MAX: usize = 256;

/// How many are sampled beyond the telling ones.
const SAMPLE: usize = 100;

/// Numbers that look random and are the same in every run.
pub(crate) struct Dice(pub u64);

impl Dice {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound.max(1)
    }
}

/// Choices out of several sets, each given by its size: all, or the telling ones and a sample.
fn choices(sizes: &[usize], dice: &mut Dice) -> Vec<Vec<usize>> {
    let product = sizes.iter().try_fold(1_usize, |product, size| product.checked_mul(*size));
    if let Some(count) = product.filter(|count| *count <= ALL_MAX) {
        let digits = |mut number: usize| {
            let digit = |size: &usize| {
                let digit = number % size;
                number /= size;
                digit
            };
            sizes.iter().map(digit).collect()
        };
        return (0..count).map(digits).collect();
    }
    let pick = |takes: &dyn Fn(usize) -> bool| -> Vec<usize> {
        sizes.iter().enumerate().map(|(at, size)| if takes(at) { size - 1 } else { 0 }).collect()
    };
    let mut picks = vec![pick(&|at| at % 2 == 0), pick(&|at| at % 2 == 1)];
    for edge in 0..=sizes.len() {
        picks.push(pick(&|at| at < edge));
        picks.push(pick(&|at| at >= edge));
        picks.push(pick(&|at| at != edge));
        picks.push(pick(&|at| at == edge));
    }
    for _ in 0..SAMPLE {
        picks.push(sizes.iter().map(|size| dice.below(*size)).collect());
    }
    picks
}

impl Bytes {
    /// The contents that the disk may have.
    fn cuts(&self, dice: &mut Dice) -> Vec<Vec<u8>> {
        let mut lengths: Vec<usize> = std::iter::once(self.disk.len()).chain(self.lengths.clone()).collect();
        lengths.sort_unstable();
        lengths.dedup();
        let sizes: Vec<usize> = self.sectors.values().map(|versions| versions.len() + 1).collect();
        let mut cuts = BTreeSet::new();
        for choice in choices(&sizes, dice) {
            let mut content = self.disk.clone();
            for ((sector, versions), version) in self.sectors.iter().zip(choice) {
                if let Some(bytes) = version.checked_sub(1).and_then(|at| versions.get(at)) {
                    let start = sector * SECTOR;
                    content.resize(content.len().max(start + SECTOR), 0);
                    content[start..start + SECTOR].copy_from_slice(bytes);
                }
            }
            for length in &lengths {
                let mut content = content.clone();
                content.resize(*length, 0);
                cuts.insert(content);
            }
        }
        cuts.into_iter().collect()
    }
}

impl World {
    /// Every state, or the telling ones, that a power cut now can leave.
    pub(crate) fn cuts(&self, dice: &mut Dice) -> Vec<World> {
        let contents: Vec<Vec<Vec<u8>>> = self.files.iter().map(|file| file.cuts(dice)).collect();
        let mut sizes: Vec<usize> = contents.iter().map(Vec::len).collect();
        sizes.extend(self.names.iter().map(|_| 2));
        let mut seen = BTreeSet::new();
        let mut worlds = Vec::new();
        for choice in choices(&sizes, dice) {
            let (files, names) = choice.split_at(contents.len());
            let files: Vec<&[u8]> =
                contents.iter().zip(files).map(|(contents, at)| contents[*at].as_slice()).collect();
            let world = self.cut(&files, |at| names[at] == 1);
            if seen.insert(world.flat()) {
                worlds.push(world);
            }
        }
        worlds
    }

    /// The state in which nothing is left that was not flushed.
    pub(crate) fn least(&self) -> World {
        let files: Vec<&[u8]> = self.files.iter().map(|file| file.disk.as_slice()).collect();
        self.cut(&files, |_| false)
    }

    /// All reachable files with their contents.
    pub(crate) fn flat(&self) -> Vec<(String, Vec<u8>)> {
        let mut flat = Vec::new();
        for (folder, names) in &self.cached {
            for (name, node) in names {
                let content = match node {
                    Node::File(id) => self.files[*id].cache.clone(),
                    Node::Folder => Vec::new(),
                };
                flat.push((format!("{folder}/{name}"), content));
            }
        }
        flat
    }

    fn cut(&self, files: &[&[u8]], kept: impl Fn(usize) -> bool) -> World {
        let mut names = self.durable.clone();
        for (_, change) in self.names.iter().enumerate().filter(|(at, _)| kept(*at)) {
            let folder = names.entry(change.folder.clone()).or_default();
            if let Some(gone) = &change.gone {
                folder.remove(gone);
            }
            folder.insert(change.made.clone(), change.node);
        }
        let mut tree = Tree::new();
        reach("", &names, &mut tree);
        let settled =
            |content: &&[u8]| Bytes { cache: content.to_vec(), disk: content.to_vec(), ..Bytes::default() };
        World {
            files: files.iter().map(settled).collect(),
            cached: tree.clone(),
            durable: tree,
            names: Vec::new(),
        }
    }
}

/// Copies what can be reached: a folder whose own name is gone takes all in it along.
fn reach(folder: &str, from: &Tree, into: &mut Tree) {
    let names = from.get(folder).cloned().unwrap_or_default();
    for (name, node) in &names {
        if *node == Node::Folder {
            let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            reach(&path, from, into);
        }
    }
    into.insert(folder.to_owned(), names);
}
