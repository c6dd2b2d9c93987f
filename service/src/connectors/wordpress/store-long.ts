import { runBeside } from '../../threads/run-beside.ts'
import * as family from './from-family.ts'
import * as stored from './stored-form.ts'

// The same functions, beside the event loop for long texts.

export const fromFamily = runBeside(new URL('./from-family.ts', import.meta.url).href, family)
export const storedForm = runBeside(new URL('./stored-form.ts', import.meta.url).href, stored)
