import type { Texts } from '../en/index.ts'
import { connect } from './connect.ts'
import { done } from './done.ts'
import { fields } from './fields.ts'
import { full } from './full.ts'
import { general } from './general.ts'
import { mapping } from './mapping.ts'
import { plan } from './plan.ts'
import { problems } from './problems.ts'
import { progress } from './progress.ts'
import { review } from './review.ts'
import { shell } from './shell.ts'
import { undo } from './undo.ts'
import { upload } from './upload.ts'

export const texts: Texts = {
  ...general,
  shell,
  connect,
  upload,
  plan,
  mapping,
  fields,
  problems,
  runProgress: progress,
  review,
  full,
  done,
  undo,
}
