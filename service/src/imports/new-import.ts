import type { SourceTool } from '../connectors/registry.ts'
import { AddressNotAllowedError, type FieldMessages } from '../errors.ts'
import type { Family } from '../families/index.ts'
import type { AddressGuard } from '../outbound/address-guard.ts'

/** The properties of a new import, already of the right form. */
export interface NewImportInput {
  source_tool?: string
  destination_instance_url?: string
  destination_username?: string
  destination_token?: string
  start_full?: boolean
  family?: Family
}

export interface NewImport {
  sourceTool: string
  family: Family
  instanceUrl: string | null
  username: string | null
  token: string | null
  startFull: boolean
}

/** Checks the rules that a schema cannot state. Properties in `malformed` already have a message. */
export function checkNewImport(
  input: NewImportInput,
  malformed: FieldMessages,
  { tools, guard }: { tools: readonly SourceTool[]; guard: AddressGuard },
): { newImport: NewImport | null; messages: FieldMessages } {
  const messages: FieldMessages = { ...malformed }
  const isFormed = (property: keyof NewImportInput) =>
    input[property] !== undefined && !Object.hasOwn(malformed, property)

  const { tool, family } = checkSource(input, messages, tools)

  const urlProblem = isFormed('destination_instance_url') && findUrlProblem(input.destination_instance_url ?? '', guard)
  if (urlProblem) messages.destination_instance_url = [urlProblem]

  if (Object.keys(messages).length > 0 || !tool || !family) return { newImport: null, messages }
  return {
    messages,
    newImport: {
      sourceTool: tool.tool,
      family,
      instanceUrl: input.destination_instance_url ?? null,
      // An empty text is no username and no token, so it counts as not given.
      username: input.destination_username?.trim() ? input.destination_username : null,
      token: input.destination_token || null,
      startFull: input.start_full ?? false,
    },
  }
}

/** Finds the tool and family. Adds its messages to those about the form. */
export function checkSource(
  input: Pick<NewImportInput, 'source_tool' | 'family'>,
  messages: FieldMessages,
  tools: readonly SourceTool[],
): { tool: SourceTool | undefined; family: Family | undefined } {
  const isFormed = (property: 'source_tool' | 'family') =>
    input[property] !== undefined && !Object.hasOwn(messages, property)
  const tool = isFormed('source_tool') ? findTool(tools, input.source_tool ?? '') : undefined
  if (isFormed('source_tool') && !tool) messages.source_tool = ['is not supported']
  const familyProblem = isFormed('family') && input.family && findFamilyProblem(input.family, tool)
  if (familyProblem) messages.family = [familyProblem]
  return { tool, family: input.family ?? tool?.families[0] }
}

function findTool(tools: readonly SourceTool[], text: string): SourceTool | undefined {
  const wanted = text.trim().toLowerCase()
  return tools.find(({ tool, label }) => tool === wanted || label.toLowerCase() === wanted)
}

function findFamilyProblem(wanted: Family, tool: SourceTool | undefined): string | null {
  if (!tool || tool.families.includes(wanted)) return null
  return `is not shared by ${tool.label} and the destination: choose ${tool.families.join(' or ')}`
}

function findUrlProblem(text: string, guard: AddressGuard): string | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:\/\//i.test(text)) return 'must be an absolute http or https URL'
  if (url.username !== '' || url.password !== '') return 'must not hold credentials'
  if (url.hash !== '' || text.includes('#')) return 'must not have a fragment'
  try {
    guard.vetUrl(url)
  } catch (error) {
    if (error instanceof AddressNotAllowedError) return 'is not an allowed address: it must be publicly reachable'
    throw error
  }
  return null
}
