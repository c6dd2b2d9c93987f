const awayMs = 60_000
let lastInput = Date.now()

for (const type of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart']) {
  addEventListener(type, () => (lastInput = Date.now()), { passive: true, capture: true })
}

/** True if nobody has used this screen for a minute. */
export const isAway = (): boolean => Date.now() - lastInput > awayMs
