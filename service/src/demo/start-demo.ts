import { join } from 'node:path'
import { redirectUriAt } from '../authorizations/begin-sign-in.ts'
import type { Config } from '../config.ts'
import { liveApiPrefix } from '../partner-api/openapi.ts'
import { demoClientId, demoFolder } from './demo-settings.ts'
import { describeDemo } from './describe-demo.ts'
import type { PreparedDemo } from './prepare-demo.ts'
import { type ProgramToRun, runProgram } from './run-program.ts'

export interface RunningDemo {
  /** The text that a newcomer reads. */
  text: string
  stop(): Promise<void>
}

/** Starts Fernhill Desk and Harbour as separate programs. A program that does not start is named and left out. */
export async function startDemo(
  config: Config,
  { settings, blocked }: PreparedDemo,
  origin: string,
  onNotice: (line: string) => void,
): Promise<RunningDemo> {
  const { partner, fernhill, harbour } = settings
  const dataFile = (name: string) => join(demoFolder(config.home), name)
  const programs: Record<'fernhill' | 'harbour', ProgramToRun> = {
    fernhill: {
      label: 'Fernhill Desk',
      script: 'demo/fernhill/main.ts',
      args: [
        ...['--port', String(fernhill.port), '--data', dataFile('fernhill.db')],
        ...(fernhill.oauth_secret ? ['--oauth-client', demoClientId, '--oauth-redirect', redirectUriAt(origin)] : []),
      ],
      env: {
        FERNHILL_API_KEY: fernhill.api_key,
        ...(fernhill.oauth_secret && { FERNHILL_OAUTH_SECRET: fernhill.oauth_secret }),
      },
    },
    harbour: {
      label: 'Harbour',
      script: 'demo/harbour/main.ts',
      args: ['--port', String(harbour.port), '--data', dataFile('harbour.db'), '--wherry-url', origin + liveApiPrefix],
      env: {
        HARBOUR_TOKEN: harbour.token,
        WHERRY_TOKEN: partner.api_token,
        WHERRY_WEBHOOK_SECRET: partner.webhook_secret,
      },
    },
  }
  for (const name of blocked) {
    onNotice(
      `${programs[name].label} is not started: another program holds its port ${settings[name].port}. Stop that program and start again.`,
    )
  }
  const wanted = (['fernhill', 'harbour'] as const).filter((name) => !blocked.includes(name))
  const started = await Promise.all(wanted.map((name) => runProgram(programs[name], onNotice)))
  const missing = [...blocked, ...wanted.filter((_name, index) => started[index] === null)]
  return {
    text: describeDemo(settings, origin, missing),
    stop: async () => {
      await Promise.all(started.map((program) => program?.stop()))
    },
  }
}
