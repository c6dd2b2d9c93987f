import type { Tamper } from './tampering-proxy.ts'

/** Records the path of every request, and changes nothing. */
export function seenBy(): { paths: string[]; tamper: Tamper } {
  const paths: string[] = []
  return {
    paths,
    tamper: async ({ path }, pass) => {
      paths.push(path)
      return pass()
    },
  }
}
