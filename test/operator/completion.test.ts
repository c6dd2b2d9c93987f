import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { checkoutDir } from '../../service/src/config.ts'
import { buildProgram } from '../../service/src/operator/cli.ts'
import { writeCompletion } from '../../service/src/operator/write-completion.ts'

const wherry = (...args: string[]) =>
  spawnSync(process.execPath, [join(checkoutDir, 'service/bin/wherry.mjs'), ...args], { encoding: 'utf8' })
const has = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0

const program = buildProgram({})
const script = writeCompletion(program, 'bash')
/** The help of the command at this path. */
const helpOf = (path: string[]) =>
  path
    .reduce<Command>((command, name) => command.commands.find((one) => one.name() === name) ?? command, program)
    .helpInformation()

/** Bash's completions for these words; the last word is being typed. */
function offered(...words: string[]): string[] {
  const typed = ['wherry', ...words]
  const asked = `${script}
    complete -p wherry | grep -q -- '-F _wherry' || exit 9
    COMP_WORDS=(${typed.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${typed.length - 1}
    _wherry; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-c', asked], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
  return stdout.split('\n').filter((word) => word !== '')
}

/** The commands that the help lists. */
const listed = (help: string) =>
  [...(help.split('Commands:')[1] ?? '').matchAll(/^ {2}([a-z][\w-]*)/gm)].map(([, name]) => name)

test('bash offers exactly the commands that the help lists, at every depth', () => {
  for (const path of [[], ['partner'], ['partner', 'mapping'], ['connector', 'oauth']]) {
    const commands = offered(...path, '').filter((word) => !word.startsWith('-'))
    expect(commands.length).toBeGreaterThan(2)
    expect(commands.sort(), path.join(' ')).toEqual(listed(helpOf(path)).sort())
  }
})

test('bash completes commands, options and values', () => {
  expect(offered('doc')).toEqual(['doctor'])
  expect(offered('partner', 'create', '--dest')).toEqual(['--destination'])
  expect(offered('completion', 'f')).toEqual(['fish'])
  expect(offered('run', 'list', '--json', '--st')).toEqual(['--state'])
  // An argument may have the name of a command elsewhere.
  expect(offered('partner', 'show', 'list', '--j')).toEqual(['--json'])
})

test('after an option that takes a value, bash offers files', () => {
  expect(offered('partner', 'brand', 'prt_1', '--logo', '')).toEqual([])
  expect(offered('partner', 'brand', 'prt_1', '--logo', 'acme.svg', '--acc')).toEqual(['--accent'])
})

test.skipIf(!has('zsh'))('zsh accepts its script', () => {
  const { status, stderr } = spawnSync('zsh', ['-n'], { input: writeCompletion(program, 'zsh'), encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
})

test.skipIf(!has('fish'))('fish offers the same commands', () => {
  const loaded = writeCompletion(program, 'fish')
  const { stdout: found } = spawnSync('fish', ['--no-config', '-c', `${loaded}\ncomplete -C 'wherry partner '`], {
    encoding: 'utf8',
  })
  const names = found.split('\n').flatMap((line) => line.split('\t')[0] || [])
  expect(names.sort()).toEqual(listed(helpOf(['partner'])).sort())
})

test('the command prints the script of the shell', () => {
  expect(wherry('completion', 'bash')).toMatchObject({ status: 0, stdout: script })
})

test('another shell is refused, and the error lists the known shells', () => {
  expect(wherry('completion', 'csh')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('Allowed choices are bash, zsh, fish'),
  })
})
