import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { serviceVersion } from '../../service-version.ts'
import { broken, type Finding, fine, reasonOf, sizeOf, worth } from './finding.ts'

const oldestNode = 24
const warnBytes = 2e9
const brokenBytes = 200e6

export function checkVersions(): Finding {
  const message = `Wherry ${serviceVersion} on Node ${process.versions.node}.`
  if (Number(process.versions.node.split('.')[0]) >= oldestNode) return fine('versions', message)
  return broken('versions', message, 'Run "npm ci" in the checkout. It installs Node 24.')
}

export async function checkDisk(check: string, folder: string): Promise<Finding> {
  // The folder may not exist yet: the first start creates it. So its nearest existing parent is checked.
  let place = folder
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place)
  try {
    const { bavail, bsize } = await statfs(place)
    const free = bavail * bsize
    const message = `${sizeOf(free)} are free at ${place}.`
    if (free >= warnBytes) return fine(check, message)
    const fix = 'Free some space, or move the folder to a larger disk. A full disk stops the database.'
    return free >= brokenBytes ? worth(check, message, fix) : broken(check, message, fix)
  } catch (error) {
    return worth(
      check,
      `The free space at ${place} cannot be read: ${reasonOf(error)}.`,
      'Check the rights of the folder.',
    )
  }
}
