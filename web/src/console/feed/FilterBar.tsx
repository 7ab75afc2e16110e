import { useState, type RefObject } from 'react'
import { Button, Input, SearchField, ToggleButton } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { allCategories, contentKinds, modes, suggestions } from '../../lib/wire'
import { categoryName, modeName, plain, suggestionName } from '../../lib/words'
import { CloseIcon, FilterIcon, SearchIcon } from '../../ui/icons'
import { isFiltered, noFilter, type Filter } from './filter'

interface Props { filter: Filter; onChange: (f: Filter) => void; searchRef: RefObject<HTMLInputElement | null> }

/** FilterBar edits the filter; its state is the URL's. */
export function FilterBar({ filter, onChange, searchRef }: Props) {
  const t = useText()
  const [more, setMore] = useState(false)
  const put = (change: Partial<Filter>) => onChange({ ...filter, ...change })
  const text = (key: 'app' | 'scene' | 'player', label: string) => (
    <label className="filter-text"><span>{label}</span>
      <input value={filter[key]} maxLength={200} onChange={(e) => put({ [key]: e.target.value })} placeholder={t('common.any')} spellCheck={false} autoComplete="off" />
    </label>
  )
  const select = <T extends string>(key: 'category' | 'kind' | 'mode', label: string, all: readonly T[], word: (v: string) => string) => (
    <label className="filter-text"><span>{label}</span>
      <select value={filter[key]} onChange={(e) => put({ [key]: e.target.value })}>
        <option value="">{t('common.any')}</option>
        {all.map((v) => <option key={v} value={v}>{word(v)}</option>)}
      </select>
    </label>
  )
  return (
    <div className={more ? 'filters filters-more' : 'filters'} role="search" aria-label={t('feed.filter')}>
      <SearchField className="search" aria-label={t('feed.search')} value={filter.text} onChange={(t) => put({ text: t.slice(0, 200) })}>
        <SearchIcon />
        <Input ref={searchRef} placeholder={t('feed.search')} spellCheck={false} onKeyDown={(e) => { if (e.key === 'Escape') e.currentTarget.blur() }} />
        {filter.text && <Button className="icon-button tiny" aria-label={t('feed.clear_search')}><CloseIcon size={13} /></Button>}
      </SearchField>
      <Button className="button filters-toggle" aria-expanded={more} onPress={() => setMore(!more)}><FilterIcon />{t('feed.filters')}</Button>
      <div className="segmented" role="group" aria-label={t('feed.suggestion')}>
        {suggestions.map((s) => (
          <ToggleButton key={s} className={`segment segment-${s}`} isSelected={filter.suggestion.includes(s)}
            onChange={(on) => put({ suggestion: on ? [...filter.suggestion, s] : filter.suggestion.filter((x) => x !== s) })}>
            {suggestionName(s)}
          </ToggleButton>
        ))}
      </div>
      <ToggleButton className="segment alone" isSelected={filter.waiting} onChange={(on) => put({ waiting: on })}>{t('feed.needs')}</ToggleButton>
      <div className="filter-set">
        {select('category', t('feed.category'), allCategories, categoryName)}
        {select('kind', t('feed.kind'), contentKinds, plain)}
        {select('mode', t('feed.mode'), modes, modeName)}
        {text('app', t('feed.app'))}
        {text('scene', t('feed.scene'))}
        {text('player', t('feed.player'))}
        {isFiltered(filter) && <Button className="link-button" onPress={() => onChange(noFilter)}>{t('feed.clear_all')}</Button>}
      </div>
    </div>
  )
}
