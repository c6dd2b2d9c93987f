import { runBeside } from '../../../threads/run-beside.ts'
import * as comment from './comment-form.ts'
import * as ticket from './ticket-form.ts'

// The functions of both modules. For long texts they run in a worker thread, to keep the event loop free.

export const commentForms = runBeside(new URL('./comment-form.ts', import.meta.url).href, comment)
export const ticketForms = runBeside(new URL('./ticket-form.ts', import.meta.url).href, ticket)
