"""Attempts to get out of a worktree. Each is made in a process of its own; what it came to is looked at from outside.

Secrets that could be read are written to leaks.txt, errors to attempts.txt, both in the worktree.
"""

import ctypes
import fcntl
import glob
import json
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import termios

SCENE = json.load(open(sys.argv[1]))
LIBC = ctypes.CDLL(None, use_errno=True)
ATTEMPTS = []


def attempt(function):
    ATTEMPTS.append(function)
    return function


def mark():
    return "escaped " + NAME + "\n"


def write(path, how="w"):
    with open(path, how) as file:
        file.write(mark())


def leak(text):
    with open("leaks.txt", "a") as file:
        file.write(NAME + " " + text.replace("\n", " ") + "\n")


def home(path):
    return os.path.join(SCENE["home"], path)


def checked(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


# Files.

@attempt
def file_in_home():
    write(home("file_in_home"))


@attempt
def file_of_the_person():
    write(home("file_of_the_person"), "a")


@attempt
def file_of_the_checkout():
    write(os.path.join(SCENE["root"], "file_of_the_checkout"))


@attempt
def file_removed():
    os.unlink(home("file_removed"))


@attempt
def file_mode_changed():
    os.chmod(home("file_mode_changed"), 0o777)


@attempt
def file_time_changed():
    os.utime(home("file_time_changed"), (0, 0))


@attempt
def file_truncated():
    os.truncate(home("file_truncated"), 0)


@attempt
def git_objects():
    write(os.path.join(SCENE["common"], "objects", "git_objects"))


@attempt
def state_read():
    leak(open(os.path.join(SCENE["state"], "secret")).read())


@attempt
def state_written():
    write(os.path.join(SCENE["state"], "state_written"))


@attempt
def state_moved_away():
    os.rename(os.path.join(SCENE["state"], "movable"), os.path.join(SCENE["state"], "state_moved_away"))


@attempt
def temporary_file_read():
    leak(open(SCENE["temporary"]).read())


@attempt
def temporary_file_written():
    write(SCENE["temporary"] + ".temporary_file_written")


@attempt
def shared_memory_written():
    write(SCENE["memory"], "a")


# Links.

@attempt
def symbolic_link_written_through():
    os.symlink(SCENE["home"], "link1")
    write("link1/symbolic_link_written_through")


@attempt
def symbolic_link_to_state():
    os.symlink(SCENE["state"], "link2")
    leak(open("link2/secret").read())


@attempt
def hard_link_written_through():
    os.link(home("hard_link_written_through"), "link3")
    write("link3", "a")


@attempt
def hard_link_to_outside():
    open("link4", "w").write(mark())
    os.link("link4", home("hard_link_to_outside"))


@attempt
def moved_outside():
    open("moved", "w").write(mark())
    os.rename("moved", home("moved_outside"))


@attempt
def upwards_by_descriptor():
    folder = os.open(".", os.O_PATH)
    above = os.open(os.path.relpath(SCENE["home"], os.getcwd()), os.O_PATH, dir_fd=folder)
    os.write(os.open("upwards_by_descriptor", os.O_WRONLY | os.O_CREAT, dir_fd=above), mark().encode())


@attempt
def reopened_by_descriptor():
    descriptor = os.open(home("reopened_by_descriptor"), os.O_RDONLY)
    write("/proc/self/fd/%d" % descriptor, "a")


@attempt
def reopened_from_a_path():
    descriptor = os.open(home("reopened_from_a_path"), os.O_PATH)
    write("/proc/self/fd/%d" % descriptor, "a")


# /proc.

@attempt
def proc_environment():
    leak(open("/proc/%d/environ" % SCENE["victims"]["proc_environment"]).read())


@attempt
def proc_all_environments():
    for path in glob.glob("/proc/[0-9]*/environ"):
        try:
            text = open(path).read()
        except OSError:
            continue
        if SCENE["secret"] in text:
            leak(text)
            return


@attempt
def proc_working_folder():
    write("/proc/%d/cwd/proc_working_folder" % SCENE["victims"]["proc_environment"])


@attempt
def proc_root():
    write("/proc/self/root" + home("proc_root"))


@attempt
def proc_descriptor():
    with open("/proc/%d/fd/1" % SCENE["victims"]["proc_descriptor"], "w") as file:
        file.write(mark())


@attempt
def proc_parents_root():
    write("/proc/%d/root%s" % (SCENE["victims"]["proc_environment"], home("proc_parents_root")))


# The pointer to git's folder, and what is in it.

@attempt
def git_configuration():
    with open(os.path.join(SCENE["common"], "config"), "a") as file:
        file.write("# " + mark())


@attempt
def git_hook():
    write(os.path.join(SCENE["common"], "hooks", "git_hook"))


@attempt
def git_entry():
    pointer = open(".git").read().split(":", 1)[1].strip()
    write(os.path.join(pointer, "config.worktree"))
    write(os.path.join(SCENE["common"], "git_entry"))


@attempt
def git_reference():
    subprocess.run(["git", "update-ref", "refs/heads/git_reference", "HEAD"], check=True)


@attempt
def git_command():
    subprocess.run(["git", "config", "core.fsmonitor", mark()], check=True)


@attempt
def git_attributes():
    os.makedirs(os.path.join(SCENE["common"], "info"), exist_ok=True)
    write(os.path.join(SCENE["common"], "info", "attributes"))


@attempt
def git_alternates():
    write(os.path.join(SCENE["common"], "objects", "info", "alternates"))


@attempt
def git_lock():
    write(os.path.join(SCENE["common"], "index.lock"))


@attempt
def pointer_overwritten():
    write(".git", "a")


@attempt
def pointer_replaced():
    open("pointer", "w").write(open(".git").read() + mark())
    os.rename("pointer", ".git")


@attempt
def pointer_moved_away():
    os.rename(".git", ".git-away")
    os.mkdir(".git")
    write(".git/pointer_moved_away")


# Configuration that other programs obey.

@attempt
def planted_claude():
    os.makedirs(".claude", exist_ok=True)
    write(".claude/settings.json")


@attempt
def planted_mcp():
    write(".mcp.json")


@attempt
def planted_direnv():
    write(".envrc")


@attempt
def planted_editor():
    shutil.rmtree(".vscode", ignore_errors=True)
    os.makedirs(".vscode", exist_ok=True)
    write(".vscode/tasks.json")


@attempt
def planted_hook():
    os.makedirs(".husky", exist_ok=True)
    write(".husky/pre-commit")


@attempt
def planted_by_renaming():
    os.makedirs("prepared")
    write("prepared/config.toml")
    os.rename("prepared", ".codex")


@attempt
def planted_by_link():
    os.makedirs("prepared2")
    write("prepared2/hooks.json")
    os.symlink("prepared2", ".cursor")


@attempt
def planted_settings():
    write(".provost/provost.toml", "a")


# TCP and UDP.

@attempt
def tcp_loopback():
    socket.create_connection(("127.0.0.1", SCENE["tcp"]), 2).sendall(mark().encode())


@attempt
def tcp_any_address():
    socket.create_connection(("0.0.0.0", SCENE["tcp"]), 2).sendall(mark().encode())


@attempt
def udp_loopback():
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(mark().encode(), ("127.0.0.1", SCENE["udp"]))


@attempt
def udp_any_address():
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.connect(("0.0.0.0", SCENE["udp"]))
    udp.send(mark().encode())


# Sockets of this machine.

@attempt
def unix_socket():
    unix = socket.socket(socket.AF_UNIX)
    unix.connect(SCENE["unix"])
    unix.sendall(mark().encode())


@attempt
def unix_socket_of_provost():
    unix = socket.socket(socket.AF_UNIX)
    unix.connect(SCENE["own"])
    unix.sendall(mark().encode())


@attempt
def unix_socket_of_another_turn():
    unix = socket.socket(socket.AF_UNIX)
    unix.connect(SCENE["turn"])
    unix.sendall(mark().encode())


@attempt
def abstract_socket():
    unix = socket.socket(socket.AF_UNIX)
    unix.connect("\0" + SCENE["abstract"])
    unix.sendall(mark().encode())


@attempt
def abstract_datagram():
    unix = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    unix.sendto(mark().encode(), "\0" + SCENE["datagram"])


# Signals and ptrace.

@attempt
def killed():
    os.kill(SCENE["victims"]["killed"], signal.SIGKILL)


@attempt
def killed_by_descriptor():
    signal.pidfd_send_signal(os.pidfd_open(SCENE["victims"]["killed_by_descriptor"]), signal.SIGKILL)


@attempt
def killed_as_group():
    os.killpg(SCENE["victims"]["killed_as_group"], signal.SIGKILL)


@attempt
def traced():
    seize, exit_kill = 0x4206, 0x00100000
    victim = SCENE["victims"]["traced"]
    checked(LIBC.ptrace(seize, ctypes.c_long(victim), None, ctypes.c_void_p(exit_kill)))


@attempt
def limited():
    resource.prlimit(SCENE["victims"]["limited"], resource.RLIMIT_NOFILE, (7, 7))


# Descriptors that were open where Provost was started.

@attempt
def descriptor_read():
    leak(os.pread(9, 100, 0).decode())


@attempt
def descriptor_written():
    os.write(8, mark().encode())


@attempt
def descriptor_of_folder():
    os.write(os.open("descriptor_of_folder", os.O_WRONLY | os.O_CREAT, dir_fd=7), mark().encode())


# Other worktrees.

@attempt
def other_worktree_read():
    leak(open(os.path.join(SCENE["other"], "secret")).read())


@attempt
def other_worktree_written():
    write(os.path.join(SCENE["other"], "other_worktree_written"))


@attempt
def other_worktree_found():
    found = glob.glob(os.path.join(os.path.dirname(os.getcwd()), "*", "secret"))
    leak(open(found[0]).read())


# The terminal.

def typed_into(path):
    terminal = os.open(path, os.O_RDWR | os.O_NOCTTY)
    for letter in mark().encode():
        fcntl.ioctl(terminal, termios.TIOCSTI, bytes([letter]))


@attempt
def typed_into_own_terminal():
    typed_into("/dev/tty")


@attempt
def typed_into_terminal():
    typed_into(SCENE["terminal"])


@attempt
def printed_on_terminal():
    write(SCENE["terminal"])


# Mounts and namespaces.

def in_namespaces(script):
    subprocess.run(["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script], check=True)


@attempt
def remounted():
    in_namespaces("mount -o remount,rw,bind / ; echo escaped remounted > '%s'" % home("remounted"))


@attempt
def unmounted():
    in_namespaces("umount '%s'; cat '%s/secret' > unmounted.txt" % (SCENE["state"], SCENE["state"]))
    leak(open("unmounted.txt").read())


@attempt
def entered():
    victim = SCENE["victims"]["proc_environment"]
    script = "echo escaped entered > '%s'" % home("entered")
    subprocess.run(["nsenter", "--target", str(victim), "--mount", "--", "sh", "-c", script], check=True)


for function in ATTEMPTS:
    NAME = function.__name__
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        try:
            function()
            said = "nothing stood in the way"
        except BaseException as error:
            said = repr(error)
        with open("attempts.txt", "a") as file:
            file.write("%s: %s\n" % (NAME, said))
        os._exit(0)
    os.waitpid(child, 0)
