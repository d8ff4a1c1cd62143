//! References: one grammar for all spellings, and nothing hostile among them.

use provost_core::planning::reference::{Known, NotAReference, Reference, Resolution, Scheme};

struct World;

impl Known for World {
    fn file(&self, path: &str) -> bool {
        path == "lights/table.toml"
    }

    fn evidence(&self, id: &str) -> bool {
        id == "ev1"
    }

    fn registered(&self, folder: Option<&str>, id: &str, version: Option<&str>) -> bool {
        folder.is_none_or(|folder| folder == "commands")
            && id == "cmd_x"
            && version.is_none_or(|it| it == "1.0.0")
    }

    fn memory(&self, id: &str) -> bool {
        id == "mem-a1"
    }
}

fn read(text: &str) -> Reference {
    text.parse().unwrap_or_else(|why| panic!("{text} {why}"))
}

#[test]
fn one_spelling_for_every_form() {
    for (written, meant) in [
        ("scan://file/a/b.rs#L3", "scan://file/a/b.rs#L3"),
        ("doc://docs/x.md", "doc://docs/x.md"),
        ("registry://commands/cmd_x@1.0.0", "registry://commands/cmd_x@1.0.0"),
        ("registry:cmd_x:1.0.0", "registry://cmd_x@1.0.0"),
        ("registry:cmd_x", "registry://cmd_x"),
        ("rule:rule_r01_x", "registry://rules/rule_r01_x"),
        ("rule://rule_r01_x", "registry://rules/rule_r01_x"),
        ("workflow://small@2.0.0", "registry://workflows/small@2.0.0"),
        ("factpack://harbour/ev1", "fact://ev1"),
        ("memory_pack://harbour/mem-a1", "memory://mem-a1"),
        ("nl_input:make it so", "nl_input://make it so"),
        ("somebody said so", "somebody said so"),
    ] {
        assert_eq!(read(written).to_string(), meant);
        assert_eq!(read(meant), read(written), "{meant} is read as it is written");
    }
    let pinned = read("registry:cmd_x:1.0.0");
    assert_eq!((pinned.registered(), pinned.version.as_deref()), (Some((None, "cmd_x")), Some("1.0.0")));
    assert_eq!(read("scan://file/a@b.rs").file(), Some("a@b.rs"));
    assert_eq!(read("plan://abc#t1").scheme, Scheme::Foreign("plan".to_owned()));
}

#[test]
fn where_they_lead() {
    use Resolution::{Resolved, Unresolvable, Unresolved};
    for (text, leads) in [
        ("scan://file/lights/table.toml", Resolved),
        ("doc://lights/table.toml#dawn", Resolved),
        ("scan://file/lights/other.toml", Unresolved),
        ("scan://security/secrets", Unresolvable),
        ("fact://ev1", Resolved),
        ("fact://ev2", Unresolved),
        ("fact://languages", Unresolvable),
        ("registry://commands/cmd_x", Resolved),
        ("registry:cmd_x:1.0.0", Resolved),
        ("registry:cmd_x:1.0.1", Unresolved),
        ("registry://workflows/cmd_x", Unresolved),
        ("memory://mem-a1", Resolved),
        ("memory://mem-zz", Unresolved),
        ("policy://x", Unresolvable),
        ("https://example.org/x", Unresolvable),
        ("a bare word", Unresolvable),
    ] {
        assert_eq!(read(text).resolve(&World), leads, "{text}");
    }
}

#[test]
fn hostile_ones_are_refused() {
    let long = format!("doc://{}", "a".repeat(251));
    assert_eq!(long.parse::<Reference>(), Err(NotAReference::Length(257)));
    assert!(long[..256].parse::<Reference>().is_ok());
    for (text, why) in [
        ("ab", NotAReference::Length(2)),
        ("", NotAReference::Length(0)),
        ("scan://file/../x", NotAReference::Outside),
        ("scan://file/a/../../x", NotAReference::Outside),
        ("doc://..\\x", NotAReference::Outside),
        ("doc:///etc/passwd", NotAReference::Outside),
        ("scan://file//etc/passwd", NotAReference::Outside),
        ("doc://~/x", NotAReference::Outside),
        ("registry://../x", NotAReference::Outside),
        ("nl_input:../x", NotAReference::Outside),
        ("doc://a\nb", NotAReference::Hidden),
        ("doc://a\u{202e}b", NotAReference::Hidden),
        ("doc://a\u{200b}b", NotAReference::Hidden),
        ("doc://a\0b", NotAReference::Hidden),
        (" doc://a", NotAReference::Blank),
        ("doc://a ", NotAReference::Blank),
        ("doc://", NotAReference::Empty),
        ("scan://file/", NotAReference::Empty),
        ("doc://a#", NotAReference::Empty),
        ("registry://commands/x@", NotAReference::Empty),
        ("registry:x:", NotAReference::Empty),
        ("rule://", NotAReference::Empty),
        ("://a", NotAReference::Scheme),
        ("DOC://a", NotAReference::Scheme),
        ("a b://c", NotAReference::Scheme),
    ] {
        assert_eq!(text.parse::<Reference>(), Err(why), "{text:?}");
    }
}
