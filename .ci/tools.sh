# What .ci/run and .ci/full share.

# Runs two functions in parallel. Fails when one of them fails.
both() {
  "$1" & local first=$!
  "$2" & local second=$!
  local status=0
  wait "$first" || status=1
  wait "$second" || status=1
  return $status
}

# Installs the commands that are absent, each given as command:package of Debian, where there is apt and the right to use it.
install_tools() {
  local tool missing=()
  for tool in "$@"; do
    command -v "${tool%:*}" >/dev/null || missing+=("${tool#*:}")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    # In runlevel 1, the packages do not start their servers.
    apt-get update -qq && RUNLEVEL=1 apt-get install -y -qq --no-install-recommends "${missing[@]}"
  else
    echo "Left out: what needs ${missing[*]}, because there is no right to install packages."
  fi
}
