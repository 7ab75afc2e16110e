import { goTo, placeOf } from '../route'
import type { PageProps } from '../screens'
import { Bench } from './Bench'
import { OneCase } from './OneCase'
import '../../styles/review.css'

/** ReviewPage is where cases are decided: the next ones in turn, or one by its address. */
export default function ReviewPage({ me, route }: PageProps) {
  const [id] = route.rest
  const query = new URLSearchParams(route.query)
  const queue = query.get('queue') ?? ''
  const first = query.get('first') ?? ''
  if (id) return <OneCase key={id} id={id} me={me} />
  return <Bench key={`${queue} ${first}`} me={me} queue={queue} first={first} onQueue={(q) => goTo(placeOf(['review'], { queue: q }))} />
}
