import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { checkoutDir } from '../config.ts'
import { type ObstacleCode, obstacleCodes } from '../errors.ts'

export interface ObstacleAdvice {
  code: ObstacleCode
  meaning: string
  who_acts: string
  next_step: string
}

const page = resolve(checkoutDir, 'docs/operations.md')
let advice: Promise<ObstacleAdvice[]> | null = null

/**
 * The meaning and remedy of each obstacle, read from docs/operations.md, so that the console and the docs say the
 * same.
 */
export function obstacleAdvice(): Promise<ObstacleAdvice[]> {
  advice ??= readFile(page, 'utf8').then(readTable)
  return advice
}

function readTable(text: string): ObstacleAdvice[] {
  const rows = text.split('\n').map((line) => /^\| `(\w+)` \| (.+?) \| (.+?) \| (.+?) \|$/.exec(line))
  return obstacleCodes.flatMap((code) => {
    const row = rows.find((candidate) => candidate?.[1] === code)
    if (!row) return []
    const [, , meaning = '', whoActs = '', nextStep = ''] = row
    return [{ code, meaning: plain(meaning), who_acts: whoActs, next_step: plain(nextStep) }]
  })
}

/** Removes Markdown from a text. */
const plain = (text: string) => text.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('`', '')
