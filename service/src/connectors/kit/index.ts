import { Type } from 'typebox'
import { AccountRefusedError, FileMissingError, ObstacleError, RetryableError } from '../../errors.ts'
import { callTool, streamFromTool } from '../../outbound/call-tool.ts'
import { downloadFile } from '../../outbound/download-file.ts'
import { readLimitHeaders } from '../../outbound/limits.ts'
import { cursorList } from './cursor-list.ts'
import { madeField, madeFields, readMade, writeMade } from './custom-fields.ts'
import { defineEntity } from './entity.ts'
import { dropBytes, nameWithExtension, safeFileName, sendBytes, sendForm, toFile } from './files.ts'
import { among, eachById, findRecords } from './find.ts'
import { findListed, findMissing, isNumberId } from './find-ids.ts'
import { finishRecord, unreadable } from './finish-record.ts'
import { basic, bearer, checkAccess, checkShape, instance, keyHeader, openHttp } from './http.ts'
import { customFieldKey, digestOf, externalIdKey, labelKey, markerKey, noKey, parentKey, upsertKey } from './keys.ts'
import { asList, lens, made, omit, takenElsewhere } from './lens.ts'
import * as is from './lenses.ts'
import { dropNotes, namedEntity } from './named-lists.ts'
import { inTurn, underParents } from './nested-pages.ts'
import { openWriter } from './open-writer.ts'
import { matched, orRefused, RefusedError, refusalsOf, refused, written } from './outcomes.ts'
import { byConnection, byCursor, byKey, byLink, byOffset, byPage, passOffset, readAll } from './pages.ts'
import { alone, inside, listed, readLists } from './read-lists.ts'
import { customFieldsOf, readRecord, toPage } from './read-record.ts'
import { removeRecords } from './remove.ts'
import { sendWithout } from './send-without.ts'
import { htmlWithPictures } from './shown-pictures.ts'
import { sideBySide } from './side-by-side.ts'
import { takeFields } from './take-fields.ts'
import { byWall, byWindow } from './timed-pages.ts'
import { movedFrom, versionInTree, versionOf } from './version.ts'
import { changesOf, storedForm, toForm } from './whole-form.ts'
import { openBatch } from './write-batch.ts'
import { writeEach, writeParts } from './write-each.ts'
import { asStored, describeEntity, requireWhole, toStored, writeRecord } from './write-record.ts'

/**
 * The kit that an external connector receives when it is loaded. Such a connector lives in another folder and cannot
 * import this code. It is frozen, because all of them get the same one. The engine recognizes only errors of exactly
 * these classes. docs/connectors.md explains each part.
 */
export const kit = Object.freeze({
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
  byPage,
  passOffset,
  byConnection,
  byWindow,
  byWall,
  underParents,
  inTurn,
  readAll,
  sideBySide,
  // Fields
  defineEntity,
  is: Object.freeze({ ...is, htmlWithPictures }),
  lens,
  asList,
  made,
  omit,
  takenElsewhere,
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
  finishRecord,
  unreadable,
  customFieldsOf,
  toPage,
  findListed,
  findMissing,
  isNumberId,
  // Writing
  openWriter,
  writeRecord,
  asStored,
  toStored,
  describeEntity,
  requireWhole,
  readLimitHeaders,
  writeEach,
  writeParts,
  openBatch,
  sendWithout,
  written,
  matched,
  refused,
  refusalsOf,
  orRefused,
  namedEntity,
  dropNotes,
  toForm,
  storedForm,
  changesOf,
  // Finding and removing
  upsertKey,
  externalIdKey,
  customFieldKey,
  labelKey,
  markerKey,
  parentKey,
  noKey,
  digestOf,
  eachById,
  among,
  findRecords,
  removeRecords,
  versionOf,
  versionInTree,
  movedFrom,
  // Files
  sendForm,
  sendBytes,
  dropBytes,
  nameWithExtension,
  safeFileName,
  toFile,
  // Errors
  AccountRefusedError,
  FileMissingError,
  ObstacleError,
  RefusedError,
  RetryableError,
} as const)

export type Kit = typeof kit
export type { MadeField } from './custom-fields.ts'
export type { Entity } from './entity.ts'
export type { Http, Query } from './http.ts'
export type { Lens, RawRecord } from './lens.ts'
export type { NamedList } from './named-lists.ts'
export type { Lookup, WrittenEntity } from './open-writer.ts'
export type { Walk } from './pages.ts'
export type { Which } from './read-lists.ts'
