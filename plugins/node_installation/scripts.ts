/** The beginning of the other scripts: a stop that says why. */
const QUIT = `quit() { printf '%s\\n' "$1" >&2; exit 1; }\n`;

/** Prints system, architecture, user id, service manager and home directory, one a line. */
export const INSPECT = `uname -s; uname -m; id -u
if [ -d /run/systemd/system ] && command -v systemctl >/dev/null 2>&1; then echo systemd; else echo none; fi
printf '%s\\n' "$HOME"`;

/** Prints the size of a file that was uploaded in part: name. */
export const STAGE = `umask 077
mkdir -p "$HOME/.edgehelm" && cd "$HOME/.edgehelm" || exit 1
if [ -f "$1" ]; then wc -c < "$1"; else echo 0; fi`;

/** Prints the SHA-256 of a file: path. */
export const CHECKSUM = `sha256sum "$1" 2>/dev/null || sha256 -r "$1"`;

/** Removes a file: path. */
export const REMOVE = `rm -f -- "$1"`;

/** Notes that this process works in the directory of a program: root. It goes on when the server dies. */
const WORK = `printf '%s\n' "$$" > "$1/.working" || exit 1\n`;

/**
 * Makes the directory of a program and removes what an installation that was cut off left: root. Its last command may
 * still run, and would mix with those of this installation.
 */
export const PREPARE = `${QUIT}umask 022
mkdir -p "$1/releases" && cd "$1" && : > .writable && rm -f .writable || exit 1
here=$(pwd -P)
is_working() {
  pid=$(cat .working 2>/dev/null) && [ -n "$pid" ] && kill -0 "$pid" 2>/dev/null || return 1
  # a process with the number in the file may be another one
  [ "$pid" != "$(cat run.pid 2>/dev/null)" ] || return 1
  case "$(readlink "/proc/$pid/cwd" 2>/dev/null)" in "$here"|"$here"/*|"") return 0 ;; *) return 1 ;; esac
}
count=0
while is_working; do
  count=$((count + 1))
  [ "$count" -le 40 ] || quit "process $pid of an earlier installation still runs: wait for its end"
  sleep 1
done
rm -f .working
now=$(readlink current || true)
for one in releases/* releases/.new-*; do
  if [ -d "$one" ] && [ "$one" != "$now" ]; then rm -rf -- "$one"; fi
done`;

/** Unpacks a package: root, path of the package, release, program. */
export const UNPACK = `${QUIT}umask 022
cd "$1/releases" || exit 1
${WORK}new=.new-$3
rm -rf -- "$new" && mkdir "$new" || exit 1
case "$2" in
  *.zip)
    command -v unzip >/dev/null 2>&1 || quit "unzip is not installed on the machine"
    unzip -q "$2" -d "$new" || exit 1 ;;
  *)
    command -v tar >/dev/null 2>&1 || quit "tar is not installed on the machine"
    tar -xzof "$2" -C "$new" || exit 1 ;;
esac
content=$new
if [ -f "$new/$4/bin/$4" ]; then content=$new/$4; fi
[ -f "$content/bin/$4" ] || quit "the package has no bin/$4"
chmod 755 "$content" "$content/bin/$4" && mkdir -p "$content/configs" && chmod 700 "$content/configs" || exit 1
mv "$content" "$3" && rm -rf -- "$new"`;

/** Writes the configuration from standard input: root, release. */
export const CONFIGURE = `umask 077
cd "$1/releases/$2/configs" || exit 1
${WORK}cat > api.yaml.new && chmod 600 api.yaml.new && mv -f api.yaml.new api.yaml`;

/** Runs the test of a program: root, release, program. */
export const TEST = `cd "$1/releases/$2" || exit 1
${WORK}exec timeout 30 "bin/$3" test`;

/** Removes a release that was not started: root, release. */
export const DISCARD = `cd "$1/releases" 2>/dev/null || exit 0
if [ "$(readlink ../current)" != "releases/$2" ]; then rm -rf -- "$2" ".new-$2"; fi`;

/** Functions on the running program: \`here\` is its directory, \`program\` its name. */
const CONTROL = `${QUIT}here=$(cd -P "$1" 2>/dev/null && pwd) || quit "$1 does not exist: install the program first"
program=$2
unit=/etc/systemd/system/$program.service
cd "$here" || exit 1
nap() { sleep 0.2 2>/dev/null || sleep 1; }
# a process with the number in the file may be another one, after the machine was started again
is_alive() {
  pid=$(cat run.pid 2>/dev/null) && [ -n "$pid" ] && kill -0 "$pid" 2>/dev/null || return 1
  case "$(readlink "/proc/$pid/cwd" 2>/dev/null)" in "$here"/*|"") return 0 ;; *) return 1 ;; esac
}
has_unit() { [ -f "$unit" ] && [ -d /run/systemd/system ]; }
halt() {
  outcome=0
  if has_unit; then systemctl stop "$program" || outcome=$?; fi
  is_alive || return "$outcome"
  kill "$pid"
  count=0
  while is_alive; do
    count=$((count + 1))
    if [ "$count" -gt 50 ]; then kill -9 "$pid"; nap; break; fi
    nap
  done
  rm -f run.pid
}
launch() {
  [ -x "current/bin/$program" ] || quit "$program is not installed in $here"
  if has_unit; then
    systemctl daemon-reload && systemctl enable -q "$program" && systemctl restart "$program" || return 1
    sleep 1
    systemctl is-active -q "$program" && return
    systemctl status --no-pager -n 5 "$program" >&2
    return 1
  fi
  umask 022
  (cd -P current && exec nohup "bin/$program" >> "$here/program.log" 2>&1 < /dev/null) &
  echo "$!" > run.pid
  sleep 1
  is_alive && return
  rm -f run.pid
  tail -n 5 program.log >&2
  return 1
}
`;

/** Starts a program again if it is there: root, program. */
export const START = `${CONTROL}halt; launch`;

/** Stops a program: root, program. */
export const STOP = `${CONTROL}halt`;

/**
 * Makes a release the current one and starts it; if it does not run, the earlier one is started again: root, program,
 * release, service manager. Standard input is the unit.
 */
export const ACTIVATE = `${CONTROL}${WORK}release=$3
if [ "$4" = systemd ]; then cat > "$unit.new" && mv -f "$unit.new" "$unit" || exit 1; fi
point() {
  rm -f .current-new && ln -s "$1" .current-new || return 1
  mv -fT .current-new current 2>/dev/null || { rm -f current && mv .current-new current; }
}
old=$(readlink current || true)
halt
point "releases/$release" || exit 1
if launch; then
  for one in releases/*; do
    if [ "$one" != "releases/$release" ]; then rm -rf -- "$one"; fi
  done
  rm -f .working
  exit 0
fi
halt
if [ -n "$old" ] && [ -d "$old" ]; then point "$old" && launch; else rm -f current; fi
exit 1`;
