import { glob, readFile } from 'node:fs/promises'
import ts from 'typescript'

/** Code whose words a customer can read: reasons why a tool, a file or a run refuses, lacks or omits something. */
const speaking = ['connectors', 'engine', 'outbound', 'uploads']

/** Code that refuses requests of a customer. */
const refusing = ['authorizations', 'imports', 'mapping', 'payments', 'portal']

/** Files that only partners and operators read. */
const elsewhere =
  /\.test\.ts$|\/(create-import|new-import|decide-sponsorship|operator-view|view-runs|price-list|settle-by-hand|record-fact|admit-by-cookie|require-same-origin|offered-providers|find-portal-import)\.ts$/

/** Files for authors of connectors and operators, files with texts for tools, and files with their own catalog. */
const silent =
  /\.test\.ts$|\/(words|account-words|fake|play-recorded|scenarios|tools-page|names-page|vet-credentials|vet-declaration|load-connectors|end-loop)\.ts$/

/** Errors whose words reach the customer. Any other error is only logged. */
const said = [
  'AccountRefusedError',
  'AnswerTooLongError',
  'ObstacleError',
  'OtherProgramError',
  'RetryableError',
  'TrytonRefusal',
  'UnreadableAnswerError',
]

/** Texts that only a broken program can get, because the portal never sends such a request. */
const forPrograms =
  /JSON|^must be a (string|text or null)|"next"|Content-Length|^must be the (number|version)|fine, flagged|^must be a list|source_id|invite_later|^must (not be 0|be from 1)|logo|^The (event|signature)/

const refusals = ['RequestError', 'ValidationError']
/** Refusals that are worded before they are thrown; the name of a property precedes them. */
const isRefusal = (text: string) =>
  /^(is|has|must|can|can't|cannot|could|does|takes|covers|finds|there is|the source|the destination|at most) \S+ \S/.test(
    text,
  )

const placed = ['message', 'fix']

/** Every text in the code of the service, with `{}` for inserted values. */
export async function collectTexts(): Promise<string[]> {
  const found: string[] = []
  for await (const file of glob('service/src/**/*.ts')) {
    if (!file.endsWith('.test.ts')) await visitTexts(file, (text) => found.push(text))
  }
  return [...new Set(found)]
}

/** The service's own sentences that a customer may read: whole sentences, and every `message` or `fix`. */
export async function collectSentences(): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const folder of speaking) {
    for await (const file of glob(`service/src/${folder}/**/*.ts`)) {
      if (silent.test(file)) continue
      await visitTexts(file, (text, node) => {
        const place = placeOf(node)
        if (place !== 'silent' && (isSentence(text) || (place === 'said' && text.includes(' ')))) found.set(text, file)
      })
    }
  }
  for (const folder of refusing) {
    for await (const file of glob(`service/src/${folder}/**/*.ts`)) {
      if (elsewhere.test(file)) continue
      await visitTexts(file, (text, node) => {
        if (!text.includes(' ') || forPrograms.test(text)) return
        if (isRefusal(text) || placeOf(node, refusals) === 'said') found.set(text, file)
      })
    }
  }
  return found
}

/** A text from a first letter to a full stop, without markup. */
const isSentence = (text: string) => /^["A-Z{].*\.$/s.test(text) && text.split(' ').length > 2 && !/<\w/.test(text)

async function visitTexts(file: string, take: (text: string, node: ts.Node) => void): Promise<void> {
  const source = ts.createSourceFile(file, await readFile(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const visit = (node: ts.Node): void => {
    const text = textOf(node)
    if (text !== null) take(text, node)
    // The parts of a composed text are not separate texts.
    if (text === null || ts.isTemplateExpression(node)) ts.forEachChild(node, visit)
  }
  visit(source)
}

function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isTemplateExpression(node)) {
    return node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('')
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [textOf(node.left), textOf(node.right)]
    return left === null || right === null ? null : left + right
  }
  return null
}

function placeOf(node: ts.Node, errors: readonly string[] = said): 'said' | 'silent' | null {
  let isPart = false
  for (let at = node.parent; at && !ts.isStatement(at) && !ts.isArrowFunction(at); at = at.parent) {
    if (ts.isTaggedTemplateExpression(at)) return 'silent'
    if (ts.isNewExpression(at)) return !errors.includes(at.expression.getText()) ? 'silent' : isPart ? null : 'said'
    if (ts.isCallExpression(at) && at.expression.getText() === 'complain' && !isPart) return 'said'
    if (ts.isPropertyAssignment(at) && at.name.getText() === 'description') return 'silent'
    // An expression inside a text, or an argument of a function that makes a text.
    if (ts.isTemplateSpan(at) || ts.isCallExpression(at)) isPart = true
    if ((ts.isPropertyAssignment(at) || ts.isVariableDeclaration(at)) && placed.includes(at.name.getText()))
      return isPart ? null : 'said'
  }
  return null
}
