import { findPort } from '../../service/src/demo/find-port.ts'

/**
 * A port for a server that must know it beforehand. It is outside the range from which the system gives free ports, so
 * that no other server gets it meanwhile.
 */
export const findFreePort = (): Promise<number> => findPort(10_000 + Math.floor(Math.random() * 20_000), [0])
