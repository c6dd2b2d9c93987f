import { runBeside } from '../../../threads/run-beside.ts'
import * as forms from './forms.ts'

/** Runs a function of `forms.ts`. For long texts it runs in a worker thread, to keep the event loop free. */
export const runForms = runBeside(new URL('./forms.ts', import.meta.url).href, forms)
