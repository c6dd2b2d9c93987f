// npm run release: checks that this commit can be released, then tags it. CONTRIBUTING.md says how to prepare a
// release.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkout, fail } from './prepare.mjs'

const { problems, tag } = inspect()
if (problems.length > 0) fail(['Not released:', ...problems.map((problem) => `- ${problem}`)].join('\n'))
git('tag', '--annotate', tag, '--message', tag)
console.log(`Tagged ${tag}. Publish it with: git push origin ${tag}`)

function inspect() {
  const { version, workspaces } = readJson('package.json')
  const tag = `v${version}`
  const problems = []
  const demand = (isMet, problem) => {
    if (!isMet) problems.push(problem)
  }
  for (const folder of workspaces)
    demand(
      readJson(`${folder}/package.json`).version === version,
      `${folder}/package.json has another version than ${version}.`,
    )
  demand(readJson('package-lock.json').version === version, `package-lock.json has another version than ${version}.`)
  const changelog = readFileSync(join(checkout, 'CHANGELOG.md'), 'utf8')
  const [, pending = ''] = /^## Pending\n([^#]*)/m.exec(changelog) ?? []
  demand(!pending.includes('- '), `CHANGELOG.md has lines under "Pending". Move them below "## ${version} (date)".`)
  const section = new RegExp(`^## ${version.replaceAll('.', '\\.')} \\(\\d{4}-\\d{2}-\\d{2}\\)\n\n- `, 'm')
  demand(section.test(changelog), `CHANGELOG.md has no section "## ${version} (yyyy-mm-dd)" with lines.`)
  demand(git('status', '--porcelain') === '', 'There are changes that are not committed.')
  demand(git('tag', '--list', tag) === '', `The tag ${tag} exists already. Choose the next version.`)
  return { problems, tag }
}

function readJson(file) {
  return JSON.parse(readFileSync(join(checkout, file), 'utf8'))
}

function git(...args) {
  return execFileSync('git', args, { cwd: checkout, encoding: 'utf8' }).trim()
}
