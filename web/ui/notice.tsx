import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

export type Tone = 'note' | 'good' | 'needs' | 'stopped'

const looks: Record<Tone, { box: string; icon: string; name: IconName }> = {
  note: { box: 'border-line bg-card', icon: 'text-quiet', name: 'note' },
  good: { box: 'border-verified/40 bg-verified-soft', icon: 'text-verified', name: 'check' },
  needs: { box: 'border-needs/50 bg-needs-soft', icon: 'text-needs', name: 'warning' },
  stopped: { box: 'border-stopped/50 bg-stopped-soft', icon: 'text-stopped', name: 'stop' },
}

export interface NoticeProps {
  tone?: Tone
  heading?: string
  children?: ReactNode
}

/** A highlighted message. The icon and the text say the same as the colour. */
export function Notice({ tone = 'note', heading, children }: NoticeProps) {
  const { box, icon, name } = looks[tone]
  return (
    <div className={`mt-4 flex gap-3 rounded-lg border p-4 ${box}`}>
      <Icon name={name} className={`mt-0.5 ${icon}`} />
      <div className="min-w-0 flex-1 text-pretty wrap-anywhere">
        {heading !== undefined && <p className="font-semibold">{heading}</p>}
        {children}
      </div>
    </div>
  )
}
