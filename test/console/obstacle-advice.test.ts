import { expect, test } from 'vitest'
import { obstacleAdvice } from '../../service/src/console/obstacle-advice.ts'
import { obstacleCodes } from '../../service/src/errors.ts'

test('the console explains every obstacle: meaning, who acts, next step', async () => {
  const advice = await obstacleAdvice()
  expect(advice.map(({ code }) => code)).toEqual([...obstacleCodes])
  for (const { meaning, who_acts, next_step } of advice) {
    expect(meaning.length).toBeGreaterThan(10)
    expect(who_acts).toMatch(/^(customer|operator|nobody|customer or operator)$/)
    expect(next_step).not.toMatch(/[`[\]]/)
    expect(next_step.length).toBeGreaterThan(5)
  }
})
