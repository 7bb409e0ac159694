import { useQuery } from '@tanstack/react-query';
import { type ReactNode } from 'react';
import { Link } from '../../app/links.tsx';
import { overviewQuery } from '../../app/queries.ts';
import { useMoney, useShop } from '../../app/shop.tsx';
import { useT } from '../../lang/language.tsx';
import { Face } from '../../ui/face.tsx';
import { Badge, Time } from '../../ui/parts.tsx';
import { type OrderRow, toneOf } from './order-types.ts';

/** The names of the game servers, by id. */
export function useServerNames(): (id: string | null) => string {
  const shop = useShop();
  const t = useT();
  const { data } = useQuery(overviewQuery(shop._id));
  return (id) => {
    if (id === null) return t('orders.anyServer');
    return data?.servers?.find((server) => server.id === id)?.name ?? '';
  };
}

/** Both states of an order: the money and the goods. An order that has ended says so. */
export function OrderStates({ order }: { readonly order: OrderRow }) {
  const t = useT();
  const hasEnded = order.status === 'cancelled' || order.status === 'expired';
  return (
    <span className="row wrapx states">
      {hasEnded && order.paymentStatus === 'pending' ? (
        <Badge>{t(`order.status.${order.status}`)}</Badge>
      ) : (
        <Badge tone={toneOf(order.paymentStatus)}>{t(`order.payment.${order.paymentStatus}`)}</Badge>
      )}
      {!(hasEnded && order.deliveryStatus === 'none') && (
        <Badge tone={toneOf(order.deliveryStatus)}>{t(`order.delivery.${order.deliveryStatus}`)}</Badge>
      )}
    </span>
  );
}

const namesOf = ({ items }: OrderRow): string =>
  items.map(({ name, quantity }) => (quantity === 1 ? name : `${quantity} × ${name}`)).join(', ');

/** Orders as rows, and as cards on phones. */
export function OrderTable(props: {
  readonly orders: readonly OrderRow[];
  /** What stands before each row, such as a box to choose it. */
  readonly before?: (order: OrderRow) => ReactNode;
  readonly beforeHead?: ReactNode;
  readonly isChosen?: (order: OrderRow) => boolean;
}) {
  const t = useT();
  const shop = useShop();
  const money = useMoney();
  const serverName = useServerNames();
  return (
    <table className="t">
      <thead>
        <tr>
          {props.before && <td className="pick hide-s">{props.beforeHead}</td>}
          <th scope="col">{t('orders.order')}</th>
          <th scope="col" className="r">
            {t('orders.total')}
          </th>
          <th scope="col">{t('orders.states')}</th>
          <th scope="col">{t('orders.server')}</th>
          <th scope="col">{t('orders.when')}</th>
        </tr>
      </thead>
      <tbody>
        {props.orders.map((order) => (
          <tr key={order.id} className={props.isChosen?.(order) === true ? 'sel' : undefined}>
            {props.before && <td className="pick hide-s">{props.before(order)}</td>}
            <td>
              <span className="cell">
                <Face name={order.nickname} />
                <span className="two-l">
                  <Link className="go" to={`/${shop.uniqueName}/orders/${order.id}`}>
                    #{order.number} · {order.nickname}
                  </Link>
                  <small>{namesOf(order)}</small>
                </span>
              </span>
            </td>
            <td className="r">
              <b className="b6">{money(order.total, order.currency)}</b>
            </td>
            <td className="full">
              <OrderStates order={order} />
            </td>
            <td className="muted hide-s">{serverName(order.serverId)}</td>
            <td className="muted nowrap small">
              <Time at={order.createdAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
