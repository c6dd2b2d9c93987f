/**
 * Tryton did the request and said no. `refused`: the data break one of its rules; `changed`: someone else was faster;
 * `fault`: its program stumbled; `too_large`: it does not read so much. The message is for people; where it is Tryton's
 * own it may name records, so it belongs into outcomes and not into logs.
 */
export class TrytonRefusal extends Error {
  override name = 'TrytonRefusal'
  readonly kind: 'refused' | 'changed' | 'fault' | 'too_large'

  constructor(kind: TrytonRefusal['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}
