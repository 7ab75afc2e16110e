import { describe, expect, it } from 'vitest'
import { axisTimes } from '../src/lib/words'

describe('the times of an axis', () => {
  const year = new Date().getFullYear()
  const at = (month: number, day: number, hour = 0, y = year) => +new Date(y, month, day, hour)
  it('are days alone where all of them are midnights', () => {
    expect(axisTimes([at(0, 22), at(0, 23), at(0, 24)])).toEqual(['Jan 22', 'Jan 23', 'Jan 24'])
  })
  it('name the year where one of them is of another', () => {
    expect(axisTimes([at(11, 30, 0, year - 1), at(0, 2)])).toEqual([`Dec 30, ${year - 1}`, `Jan 2, ${year}`])
  })
  it('have their hour as soon as one needs it', () => {
    expect(axisTimes([at(0, 22), at(0, 22, 12)])).toEqual(['Jan 22, 00:00', 'Jan 22, 12:00'])
  })
})
