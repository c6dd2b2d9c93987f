import { createTurns } from '../turns.ts'

/** Answers of these lengths need no room, or have theirs together. */
const short = 1024 * 1024
const long = 8 * 1024 * 1024
/** Long answers that this process reads and parses at once; of those that are longer still, one. */
const longOnes = createTurns(3)
const longestOnes = createTurns(1)
const tellEveryMs = 5_000

/** The memory that one answer takes until it is parsed. Who waits for room reads nothing meanwhile, and says so. */
export interface AnswerRoom {
  /** Called before so many bytes of it are kept. */
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
      // In this order for everyone, so nobody waits for someone who waits for them.
      if (bytes > short && held.length === 0) return wait(longOnes).then(() => this.grow(bytes))
      return bytes > long && held.length === 1 ? wait(longestOnes) : undefined
    },
    release() {
      for (const end of held.splice(0)) end()
    },
  }
}
