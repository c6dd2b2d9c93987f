import { runBeside } from '../../threads/run-beside.ts'
import * as stored from './stored-form.ts'

/** The same as `stored-form.ts`, beside the event loop for long texts. */
export const storedForm = runBeside(new URL('./stored-form.ts', import.meta.url).href, stored)
