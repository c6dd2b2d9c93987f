import { Type } from 'typebox'
import { AccountRefusedError, FileMissingError, ObstacleError, RetryableError } from '../../errors.ts'
import { callTool, streamFromTool } from '../../outbound/call-tool.ts'
import { downloadFile } from '../../outbound/download-file.ts'
import { readLimitHeaders } from '../../outbound/limits.ts'
import { cursorList } from './cursor-list.ts'
import { madeField, madeFields, readMade, writeMade } from './custom-fields.ts'
import { defineEntity } from './entity.ts'
import { findListed, findMissing, isNumberId } from './find-ids.ts'
import { basic, bearer, checkAccess, checkShape, instance, keyHeader, openHttp } from './http.ts'
import { lens, made } from './lens.ts'
import * as is from './lenses.ts'
import { inTurn, underParents } from './nested-pages.ts'
import { byConnection, byCursor, byKey, byLink, byOffset, passOffset, readAll } from './pages.ts'
import { alone, inside, listed, readLists } from './read-lists.ts'
import { customFieldsOf, readRecord, toPage } from './read-record.ts'
import { htmlWithPictures } from './shown-pictures.ts'
import { takeFields } from './take-fields.ts'
import { byWall, byWindow } from './timed-pages.ts'
import { writeEach, writeParts } from './write-each.ts'
import { asStored, describeEntity, toStored, versionOf, writeRecord } from './write-record.ts'

/**
 * What a connector from outside is handed when it is loaded. It stands in another folder and cannot import this code;
 * and an error means something only if it is one of these very classes. docs/connectors.md says what each is for.
 */
export const kit = {
  Type,
  // Requests
  openHttp,
  bearer,
  basic,
  keyHeader,
  instance,
  checkShape,
  checkAccess,
  callTool,
  streamFromTool,
  downloadFile,
  // Lists
  cursorList,
  byCursor,
  byLink,
  byKey,
  byOffset,
  passOffset,
  byConnection,
  byWindow,
  byWall,
  underParents,
  inTurn,
  readAll,
  // Fields
  defineEntity,
  is: { ...is, htmlWithPictures },
  lens,
  made,
  madeField,
  madeFields,
  readMade,
  writeMade,
  takeFields,
  // Reading
  readLists,
  listed,
  inside,
  alone,
  readRecord,
  customFieldsOf,
  toPage,
  findListed,
  findMissing,
  isNumberId,
  // Writing
  writeRecord,
  asStored,
  toStored,
  describeEntity,
  versionOf,
  readLimitHeaders,
  writeEach,
  writeParts,
  // Errors
  AccountRefusedError,
  FileMissingError,
  ObstacleError,
  RetryableError,
} as const

export type Kit = typeof kit
