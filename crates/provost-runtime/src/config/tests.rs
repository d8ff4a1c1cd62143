//! Every kind of mistake in the file, and what a right one gives.

use super::*;
use crate::agent::{Drive, Known, PRESETS, PromptBy};
use crate::walls::Network;

fn defects(text: &str) -> Vec<String> {
    let rejected = parse(text, "provost.toml").unwrap_err();
    rejected.defects.iter().map(|defect| format!("{defect} ({})", defect.help)).collect()
}

#[test]
fn limits_are_taken_with_their_lines() {
    let config = parse("version = 1\n[limits]\nagents = 3\n", "provost.toml").unwrap();
    assert_eq!(config.settings.limit(Limit::Agents), 3);
    assert_eq!(config.lines, BTreeMap::from([(Limit::Agents, 3)]));
    assert_eq!(config.settings.limit(Limit::DeveloperS), 900);
}

#[test]
fn every_mistake_is_reported_at_its_place() {
    let text = "version = 2\nlimit = 1\n[limits]\nagent = 3\ncritic_s = 0\naudit_failures = \"many\"\n";
    assert_eq!(
        defects(text),
        [
            "provost.toml:1:11: `version` is not 1, the only version that this Provost reads [config::value] (give a value of the right kind, or remove the key to have its default)",
            "provost.toml:2:1: there is no key `limit` [config::unknown_key] (did you mean `limits`?)",
            "provost.toml:4:1: there is no key `agent` [config::unknown_key] (did you mean `agents`?)",
            "provost.toml:5:12: `limits.critic_s` must be a whole number from 1 to 1000000 [config::value] (give a value of the right kind, or remove the key to have its default)",
            "provost.toml:6:18: `limits.audit_failures` must be a whole number from 1 to 1000000 [config::value] (give a value of the right kind, or remove the key to have its default)",
        ]
    );
}

#[test]
fn text_that_is_not_toml_is_located() {
    let found = defects("[limits\nagents = 3\n");
    assert!(found[0].starts_with("provost.toml:1:8: "), "{found:?}");
}

const WHOLE: &str = r#"
version = 1
[agents.mine]
drive = "command"
argv = ["mytool", "--as", "{role}", "{prompt_file}", "awk '{print}'"]
prompt = "file"
env = ["API_KEY"]
[agents.trial]
drive = "scripted"
script = "trial.yaml"
[agents.claude]
drive = "claude"
[roles]
default = "claude"
developer = "mine"
[[checks]]
name = "test"
argv = ["cargo", "test"]
[[checks]]
name = "dead links"
argv = ["./links.sh"]
expect_exit = 1
limit_s = 5
required = false
[worktree]
setup = [["npm", "ci"]]
copy = [".env.test"]
root = "../worktrees"
[landing]
bypassed = "land"
[limits]
check_s = 90
"#;

#[test]
fn every_section_is_read() {
    let config = parse(WHOLE, "provost.toml").unwrap();
    let Drive::Command { argv, prompt } = &config.agents["mine"].drive else { panic!("another drive") };
    assert_eq!((argv.len(), *prompt), (5, PromptBy::File));
    assert_eq!(config.agents["mine"].env, ["API_KEY"]);
    assert_eq!(config.agents["trial"].drive, Drive::Scripted { script: "trial.yaml".into() });
    let known = Known { program: "claude".to_owned(), model: None };
    assert_eq!(config.agents["claude"].drive, Drive::Claude(known));
    let played = [&config.roles.developer, &config.roles.critic, &config.roles.auditor];
    assert_eq!(played.map(Option::as_deref), [Some("mine"), Some("claude"), Some("claude")]);
    let checks: Vec<_> = config.checks.iter().map(|it| (it.expect_exit, it.limit_s, it.required)).collect();
    assert_eq!(checks, [(0, 90, true), (1, 5, false)]);
    assert_eq!(config.worktree.setup, [["npm", "ci"]]);
    assert_eq!(config.worktree.copy, [".env.test"]);
    assert_eq!(config.worktree.root, Some("../worktrees".into()));
    assert_eq!(config.landing.bypassed, Bypassed::Land);
}

#[test]
fn a_preset_is_one_line() {
    for preset in PRESETS {
        let config = parse(&format!("[agents.a]\ndrive = \"{}\"\n", preset.name), "provost.toml").unwrap();
        let known = Known { program: preset.name.to_owned(), model: None };
        assert_eq!(config.agents["a"].drive, Drive::Preset(preset, known));
        assert_eq!(config.agents["a"].reach.writable, preset.writable);
    }
    let text = "[agents.a]\ndrive = \"aider\"\nprogram = \"./aider\"\nmodel = \"m\"\n";
    let known = Known { program: "./aider".to_owned(), model: Some("m".to_owned()) };
    assert!(matches!(&parse(text, "x").unwrap().agents["a"].drive, Drive::Preset(_, it) if *it == known));
    let rejected = parse("[agents.a]\ndrive = \"opencode\"\nmodel = \"m\"\n", "x").unwrap_err();
    assert_eq!(rejected.defects[0].message, "`agents.a.model` means nothing with drive = \"opencode\"");
    let rejected = parse("[agents.a]\ndrive = \"gemni\"\n", "x").unwrap_err();
    assert_eq!(rejected.defects[0].help, "did you mean `gemini`?");
}

#[test]
fn agents_and_checks_reach_as_far_as_is_said() {
    let text = "[agents.a]\ndrive = \"claude\"\n[agents.b]\ndrive = \"claude\"\nnetwork = \"none\"\nwritable = []\nnests = true\n\
                [[checks]]\nname = \"x\"\nargv = [\"x\"]\n[[checks]]\nname = \"y\"\nargv = [\"y\"]\nnetwork = true\nwritable = [\"~/c\"]\n\
                [policy]\nsandbox = \"require\"\n";
    let config = parse(text, "provost.toml").unwrap();
    let reach = |network, writable: &[&str], nests| {
        let writable = writable.iter().map(|&path| path.to_owned()).collect();
        Reach { network: Some(network), writable, nests }
    };
    assert_eq!(config.agents["a"].reach, reach(Network::Open, &["~/.claude", "~/.claude.json"], false));
    assert_eq!(config.agents["b"].reach, reach(Network::None, &[], true));
    assert_eq!(config.check_reach["x"], reach(Network::Loopback, &[], false));
    assert_eq!(config.check_reach["y"], reach(Network::Open, &["~/c"], false));
    assert_eq!(config.sandbox, Sandbox::Require);
}

#[test]
fn every_value_is_shown_with_its_origin() {
    let config = parse(WHOLE, "provost.toml").unwrap();
    let origin = |name: &str| config.entries.iter().find(|entry| entry.name == name).map(|it| it.origin);
    assert_eq!(origin("agents.mine.argv"), Some(Origin::Line(5)));
    assert_eq!(origin("agents.claude.env"), Some(Origin::Default));
    assert_eq!(origin("roles.critic"), Some(Origin::Setting("roles.default")));
    assert_eq!(origin("checks.test.limit_s"), Some(Origin::Setting("limits.check_s")));
    assert_eq!(origin("checks.dead links.limit_s"), Some(Origin::Line(23)));
    assert_eq!(origin("landing.bypassed"), Some(Origin::Line(30)));
    let bare = parse("", "provost.toml").unwrap();
    let names: Vec<&str> = bare.entries.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(
        names.join(" "),
        "roles.default roles.developer roles.critic roles.auditor worktree.setup worktree.copy worktree.root worktree.writable landing.bypassed spend.task_usd spend.delivery_usd spend.task_tokens policy.approve policy.sandbox policy.while_waiting policy.mode"
    );
    assert!(bare.entries.iter().all(|entry| entry.origin == Origin::Default));
}

/// What is said where nothing more exact can be.
const KIND: &str = "give a value of the right kind, or remove the key to have its default";

/// Texts with one mistake each, what is said about it, and what to do.
const MISTAKES: &[(&str, &str, &str)] = &[
    ("agents = 1", "`agents` must be a table", KIND),
    ("[agents.a]", "`agents.a` does not say how it is driven: `drive` is missing", KIND),
    (
        "[agents.a]\ndrive = \"telepathy\"",
        "`agents.a.drive` is `telepathy`, which cannot be driven",
        "use one of command, scripted, claude, codex, acp, gemini, opencode, qwen, aider, pi; `command` starts any program",
    ),
    (
        "[agents.a]\ndrive = \"claude\"\nfallback = [\"a\"]",
        "`agents.a.fallback` names `a`, which cannot stand in for it",
        "name another agent of the file",
    ),
    ("[agents.a]\ndrive = \"acp\"", "`agents.a` has no `argv`, the program to start", KIND),
    ("[spend]\ntask_usd = \"a lot\"", "`spend.task_usd` must be an amount in dollars, such as 2.5", KIND),
    ("[spend]\ndelivery_usd = -1", "`spend.delivery_usd` must be an amount in dollars, such as 2.5", KIND),
    (
        "[agents.a]\ndrive = \"cluade\"",
        "`agents.a.drive` is `cluade`, which cannot be driven",
        "did you mean `claude`?",
    ),
    ("[agents.a]\ndrive = \"command\"", "`agents.a` has no `argv`, the program to start", KIND),
    ("[agents.a]\ndrive = \"scripted\"", "`agents.a` has no `script`, the file with what to do", KIND),
    (
        "[agents.a]\ndrive = \"claude\"\nargv = [\"x\"]",
        "`agents.a.argv` means nothing with drive = \"claude\"",
        KIND,
    ),
    (
        "[agents.a]\ndrive = \"command\"\nargv = []",
        "`agents.a.argv` must be a list of texts, the program first, such as [\"cargo\", \"test\"]",
        KIND,
    ),
    (
        "[agents.a]\ndrive = \"command\"\nargv = [\"x\", \"{promptfile}\"]",
        "`agents.a.argv` has `{promptfile}`, which is not replaced",
        "did you mean `{prompt_file}`?",
    ),
    (
        "[agents.a]\ndrive = \"command\"\nargv = [\"x\"]\nprompt = \"file\"",
        "`agents.a` gets its prompt in a file, and `argv` has no `{prompt_file}`",
        KIND,
    ),
    (
        "[agents.a]\ndrive = \"command\"\nargv = [\"x\"]\nprompt = \"mail\"",
        "`agents.a.prompt` must be \"stdin\" or \"file\"",
        KIND,
    ),
    (
        "[agents.a]\ndrive = \"claude\"\nenv = [\"KEY=secret\"]",
        "`agents.a.env` must hold names of variables only; values are taken from where Provost runs",
        KIND,
    ),
    (
        "[agents.a]\ndrvie = \"claude\"\ndrive = \"claude\"",
        "there is no key `drvie`",
        "did you mean `drive`?",
    ),
    (
        "[agents.\"a b\"]\ndrive = \"claude\"",
        "`a b` cannot be the name of an agent",
        "use at most 64 letters, digits, hyphens and underlines",
    ),
    (
        "[agents.claude]\ndrive = \"claude\"\n[roles]\ncritic = \"cluade\"",
        "`roles.critic` names the agent `cluade`, which is not configured",
        "did you mean `claude`?",
    ),
    ("[roles]\ncritik = \"a\"", "there is no key `critik`", "did you mean `critic`?"),
    ("[roles]\ndefault = 1", "`roles.default` must be a text that is not empty", KIND),
    ("[checks]\nname = \"x\"", "`checks` must be a list of tables: write `[[checks]]`", KIND),
    ("[[checks]]\nname = \"x\"", "a check has no `argv`, the program to start", KIND),
    ("[[checks]]\nargv = [\"x\"]", "a check has no `name`, what it is called", KIND),
    (
        "[[checks]]\nname = \"x\"\nargv = [\"x\"]\nexpect_exit = 256",
        "`checks.expect_exit` must be a whole number from 0 to 255",
        KIND,
    ),
    (
        "[[checks]]\nname = \"x\"\nargv = [\"x\"]\nrequired = 1",
        "`checks.required` must be true or false",
        KIND,
    ),
    (
        "[[checks]]\nname = \"x\"\nargv = [\"x\"]\n[[checks]]\nname = \"x\"\nargv = [\"y\"]",
        "two checks are called `x`",
        "give one of them another name",
    ),
    (
        "[worktree]\nsetup = [\"npm ci\"]",
        "`worktree.setup` must be a list of texts, the program first, such as [\"cargo\", \"test\"]",
        KIND,
    ),
    ("[worktree]\ncopy = [\"../x\"]", "`worktree.copy` names `../x`, which is not below the checkout", KIND),
    (
        "[agents.a]\ndrive = \"claude\"\nnetwork = \"some\"",
        "`agents.a.network` must be \"open\" or \"none\"",
        KIND,
    ),
    (
        "[agents.a]\ndrive = \"claude\"\nwritable = [\"cache\"]",
        "`agents.a.writable` names `cache`, which begins neither with `/` nor with `~/`",
        KIND,
    ),
    (
        "[[checks]]\nname = \"x\"\nargv = [\"x\"]\nnetwork = \"open\"",
        "`checks.network` must be true or false",
        KIND,
    ),
    ("[policy]\nsandbox = \"on\"", "`policy.sandbox` must be \"prefer\" or \"require\" or \"off\"", KIND),
    ("[policy]\nwhile_waiting = \"on\"", "`policy.while_waiting` must be \"halt\" or \"independent\"", KIND),
    ("[landing]\nbypassed = \"drop\"", "`landing.bypassed` must be \"ask\" or \"land\"", KIND),
];

#[test]
fn each_mistake_has_its_words() {
    for (text, message, help) in MISTAKES {
        let rejected = parse(text, "provost.toml").unwrap_err();
        let found: Vec<_> =
            rejected.defects.iter().map(|it| (it.message.as_str(), it.help.as_str())).collect();
        assert_eq!(found, [(*message, *help)], "{text}");
        assert!(rejected.defects.iter().all(|defect| defect.place.is_some()), "{text}");
    }
}

#[test]
fn the_only_agent_plays_every_role() {
    let one = "[agents.a]\ndrive = \"claude\"\n";
    let config = parse(one, "provost.toml").unwrap();
    assert_eq!(config.roles.auditor.as_deref(), Some("a"));
    let two = parse(&format!("{one}[agents.b]\ndrive = \"claude\"\n"), "provost.toml").unwrap();
    assert_eq!(two.roles, Roles::default());
}

#[test]
fn a_secret_in_the_wrong_place_is_not_repeated() {
    let text = "[agents.a]\ndrive = \"claude\"\nenv = [\"KEY=hunter2\"]";
    assert!(!defects(text).concat().contains("hunter2"));
}

#[test]
fn the_policy_is_judged_by_its_schema_and_every_mistake_has_its_line() {
    let text = "[policy]\nmode = \"semi_auto\"\nbudgets = { max_cost_usd = 2.5 }\nmin_memories = 0x2\n";
    let policy = parse(text, "p.toml").unwrap().policy;
    assert_eq!((policy.mode.to_string().as_str(), policy.min_memories), ("semi_auto", 2));
    assert_eq!(policy.budgets.max_cost_usd, Some(2.5));
    let text = "version = 1\n[policy]\nmode = \"never\"\nmax_retries = -1\nmod = \"x\"\n";
    let defects = parse(text, "p.toml").unwrap_err().defects;
    let lines: Vec<u32> = defects.iter().map(|it| it.place.as_ref().unwrap().line).collect();
    assert_eq!(lines, [3, 4, 5]);
}

#[test]
fn nothing_wrong_hides_what_else_is_wrong() {
    let found = defects(
        r#"
[agents.one]
drive = "comand"
argv = "./agent.sh"
prompt = 3
[agents.two]
argv = []
[agents.three]
drive = "claude"
program = ""
model = 7
[agents.four]
drive = "command"
argv = 1
prompt = "files"
[[checks]]
name = "a"
argv = ["x"]
expect_exit = 999
required = 1
[[checks]]
name = "a"
limit_s = 0
[worktree]
root = "."
"#,
    );
    let lines: Vec<&str> = found.iter().map(|it| it.split(':').nth(1).unwrap()).collect();
    // Two of the agent without a way, two of the second check: its name, and that it has no program.
    let expected = "3 4 5 6 7 10 11 14 15 19 20 21 21 23 25";
    assert_eq!(lines.join(" "), expected, "{found:#?}");
}

#[test]
fn worktrees_that_would_be_inside_the_checkout_are_refused() {
    for (root, is_inside) in
        [(".", true), ("./w", true), ("a/../b", true), ("../w", false), ("a/../../w", false), ("/w", false)]
    {
        let read = parse(&format!("[worktree]\nroot = \"{root}\"\n"), "provost.toml");
        assert_eq!(read.is_err(), is_inside, "{root}");
    }
}
