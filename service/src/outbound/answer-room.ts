import { createTurns } from '../turns.ts'

/**
 * Limits for the memory of answers. An answer above `short` waits for one of three places, an answer above `long` for a
 * single place.
 */
const short = 1024 * 1024
const long = 8 * 1024 * 1024
/** Places for long answers that this process reads and parses at once: three, and one for the longest. */
const longOnes = createTurns(3)
const longestOnes = createTurns(1)
const tellEveryMs = 5_000

/**
 * The memory for one answer until it is parsed. A caller that waits for room reads nothing meanwhile, and reports that
 * it waits.
 */
export interface AnswerRoom {
  /** Called before this number of bytes is kept. */
  grow(bytes: number): Promise<void> | undefined
  release(): void
}

export function createAnswerRoom(signal: AbortSignal, onWaiting: () => void): AnswerRoom {
  const held: (() => void)[] = []
  const wait = async (turns: typeof longOnes) => {
    const timer = setInterval(onWaiting, tellEveryMs)
    try {
      held.push(await turns.take(signal))
    } finally {
      clearInterval(timer)
    }
  }
  return {
    grow(bytes) {
      // Every caller takes the two turns in this order, so that no two callers wait for each other.
      if (bytes > short && held.length === 0) return wait(longOnes).then(() => this.grow(bytes))
      return bytes > long && held.length === 1 ? wait(longestOnes) : undefined
    },
    release() {
      for (const end of held.splice(0)) end()
    },
  }
}
