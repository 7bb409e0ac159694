import { type ReactNode } from 'react';
import { useT } from '../../lang/language.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Badge, Button, Card, Time } from '../../ui/parts.tsx';
import { useServerNames } from './order-table.tsx';
import { type Delivery, type Order, toneOf } from './order-types.ts';

/** What the game servers were told, and what they answered. */
export function Deliveries({ order, onAgain }: { readonly order: Order; readonly onAgain?: () => void }) {
  const t = useT();
  const hasFailed = order.deliveries.some(({ state }) => state === 'failed');
  return (
    <Card
      title={t('order.deliveries')}
      side={
        hasFailed &&
        onAgain && (
          <Button icon="again" onClick={onAgain}>
            {t('order.redeliver')}
          </Button>
        )
      }
    >
      {order.deliveries.length === 0 ? (
        <p className="muted">{t('order.noDeliveries')}</p>
      ) : (
        order.deliveries.map((delivery) => (
          <DeliveryCard
            key={delivery.id}
            delivery={delivery}
            name={order.items[delivery.position]?.name ?? t(`order.kind.${delivery.kind}`)}
          />
        ))
      )}
    </Card>
  );
}

export function DeliveryCard({
  delivery,
  name,
  before,
}: {
  readonly delivery: Delivery;
  readonly name: string;
  /** Such as a box to choose it. */
  readonly before?: ReactNode;
}) {
  const t = useT();
  const serverName = useServerNames();
  const last = delivery.attempts.at(-1);
  const waits = delivery.state === 'queued' && delivery.requiresOnline;
  const result = last?.result === 'delivered' ? 'ok' : last?.result === 'failed' ? 'no' : '';
  const output = last?.output ?? '';
  return (
    <div className="deliv">
      <header>
        {before}
        <Badge tone={toneOf(delivery.state)}>
          {t(waits ? 'order.delivery.waitsForPlayer' : `order.delivery.${delivery.state}`)}
        </Badge>
        <b className="b6">{name}</b>
        {delivery.kind !== 'purchase' && <Badge>{t(`order.kind.${delivery.kind}`)}</Badge>}
        <span className="muted small">
          {serverName(delivery.serverId)}
          {last !== undefined && (
            <>
              {' · '}
              {t('order.attempt', { number: last.attempt })} · <Time at={last.acknowledgedAt ?? last.leasedAt} />
            </>
          )}
        </span>
      </header>
      {(delivery.commands ?? []).map((command, index) => (
        <div className={`cmd ${result}`} key={index}>
          {result === '' ? <span /> : <Icon name={result === 'ok' ? 'check' : 'close'} />}
          <span>{command}</span>
        </div>
      ))}
      {output !== '' && (
        <div className={`cmd ${result}`}>
          <span />
          <small className="output">{output}</small>
        </div>
      )}
    </div>
  );
}
