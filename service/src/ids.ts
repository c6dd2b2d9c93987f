import { typeid } from 'typeid-js'

type Prefix =
  | 'prt'
  | 'tok'
  | 'whs'
  | 'imp'
  | 'evt'
  | 'run'
  | 'upl'
  | 'quo'
  | 'pay'
  | 'mail'
  | 'map'
  | 'vis'
  | 'opr'
  | 'ops'
  | 'ses'

/** A new id such as `imp_01jd3k…`: prefixed, sorted by time of creation, not guessable. */
export function newId(prefix: Prefix): string {
  return typeid(prefix).toString()
}
