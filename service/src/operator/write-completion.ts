import type { Command } from 'commander'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** A word that the shell can offer, and its description. */
interface Word {
  word: string
  about: string
}

/** A position in the command line: the commands typed so far, and the words that may follow. */
interface Place {
  /** The commands typed so far, such as " partner create". Empty at the beginning. */
  at: string
  commands: Word[]
  options: (Word & { takesValue: boolean })[]
  /** The allowed values of the first argument, if it has a fixed list. */
  values: string[]
}

/** Writes a completion script from the tree of commands, so that it contains every command. */
export function writeCompletion(program: Command, shell: Shell): string {
  const places = findPlaces(program, '')
  if (shell === 'bash') return writeBash(places)
  return shell === 'zsh' ? writeZsh(places) : writeFish(places)
}

function findPlaces(command: Command, at: string): Place[] {
  const help = command.createHelp()
  const commands = help.visibleCommands(command).map((one) => ({ word: one.name(), about: lineOf(one.description()) }))
  const options = help
    .visibleOptions(command)
    .flatMap(({ long, description, required, optional }) =>
      long ? [{ word: long, about: lineOf(description), takesValue: required || optional }] : [],
    )
  const values = command.registeredArguments[0]?.argChoices ?? []
  const below = command.commands.flatMap((one) => findPlaces(one, `${at} ${one.name()}`))
  return [{ at, commands, options, values: [...values] }, ...below]
}

const lineOf = (text: string): string => text.replace(/\s+/g, ' ').trim()
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
const below = (places: Place[]): Place[] => places.filter(({ at }) => at !== '')
const wordsOf = ({ commands, options, values }: Place): string[] => [
  ...commands.map(({ word }) => word),
  ...values,
  ...options.map(({ word }) => word),
]
const valued = (places: Place[]): string[] =>
  places.flatMap(({ at, options }) => options.flatMap((one) => (one.takesValue ? [`${at} ${one.word}`] : [])))

function writeBash(places: Place[]): string {
  const cases = places.map((place) => `    ${quote(place.at)}) words=${quote(wordsOf(place).join(' '))} ;;`)
  return `# bash completion for wherry
_wherry() {
  local at='' words='' index
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$at \${COMP_WORDS[index]}" in
      ${below(places)
        .map(({ at }) => quote(at))
        .join('|')}) at="$at \${COMP_WORDS[index]}" ;;
    esac
  done
  # The value of an option: the shell offers files.
  case "$at \${COMP_WORDS[COMP_CWORD - 1]}" in
    ${valued(places).map(quote).join('|')}) return ;;
  esac
  case "$at" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _wherry wherry
`
}

function writeZsh(places: Place[]): string {
  const described = ({ commands, options, values }: Place) =>
    [...commands, ...values.map((word) => ({ word, about: '' })), ...options]
      .map(({ word, about }) => quote(about === '' ? word : `${word}:${about}`))
      .join(' ')
  const cases = places.map((place) => `    (${quote(place.at)}) found=(${described(place)}) ;;`)
  // The variable must not be named "path": zsh uses that name for its search path.
  return `#compdef wherry
_wherry() {
  local at='' word
  local -a found
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
      (${below(places)
        .map(({ at }) => quote(at))
        .join('|')}) at="$at $word" ;;
    esac
  done
  case "$at \${words[CURRENT-1]}" in
    (${valued(places).map(quote).join('|')}) _files; return ;;
  esac
  case "$at" in
${cases.join('\n')}
  esac
  _describe 'wherry' found || _files
}
if [ "\${funcstack[1]}" = '_wherry' ]; then _wherry "$@"; else compdef _wherry wherry; fi
`
}

function writeFish(places: Place[]): string {
  const fish = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const lines = places.flatMap(({ at, commands, options, values }) => {
    const when = `complete -c wherry -n ${fish(`__wherry_at ${fish(at)}`)}`
    return [
      ...commands.map(({ word, about }) => `${when} -f -a ${fish(word)} -d ${fish(about)}`),
      ...values.map((word) => `${when} -f -a ${fish(word)}`),
      ...options.map(
        ({ word, about, takesValue }) => `${when} -l ${word.slice(2)} ${takesValue ? '-r' : '-f'} -d ${fish(about)}`,
      ),
    ]
  })
  return `# fish completion for wherry
function __wherry_at
  set -l at ''
  for word in (commandline -opc)[2..]
    switch "$at $word"
      case ${below(places)
        .map(({ at }) => fish(at))
        .join(' ')}
        set at "$at $word"
    end
  end
  test "$at" = "$argv[1]"
end
${lines.join('\n')}
`
}
