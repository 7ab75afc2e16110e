import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { goTo, placeOf } from '../route'

/** Find opens a player's ledger by its id. */
export function Find() {
  const t = useText()
  const [id, setId] = useState('')
  return (
    <form className="row-of" role="search" onSubmit={(e) => { e.preventDefault(); if (id.trim()) goTo(placeOf(['economy', 'player', id.trim()])) }}>
      <label className="input"><span className="sr-only">{t('economy.player_id')}</span><input type="search" value={id} maxLength={128} placeholder={t('economy.player_id')} spellCheck={false} autoComplete="off" onChange={(e) => setId(e.target.value)} /></label>
      <Button type="submit" className="button small" isDisabled={!id.trim()}>{t('economy.open')}</Button>
    </form>
  )
}
