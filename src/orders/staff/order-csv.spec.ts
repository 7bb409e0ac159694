import { describe, expect, it } from '@jest/globals';
import { IANAZone } from 'luxon';
import { type CsvSeparator } from '../../lib/formats/csv.js';
import { ORDER_TABLE } from './order-csv.js';
import { type ExportedOrder } from './staff-order.mapper.js';

const BERLIN = IANAZone.create('Europe/Berlin');
const lineOf = (order: ExportedOrder, separator?: CsvSeparator): string => ORDER_TABLE.line(order, BERLIN, separator);

const ORDER: ExportedOrder = {
  id: '655f1c2ab1e4a9d3f0c81250',
  number: 1042,
  shopId: '655f1c2ab1e4a9d3f0c81234',
  origin: 'checkout',
  serverId: '655f1c2ab1e4a9d3f0c81260',
  nickname: 'Steve_42',
  status: 'completed',
  paymentStatus: 'paid',
  deliveryStatus: 'delivered',
  items: [
    { productId: '655f1c2ab1e4a9d3f0c81270', name: 'VIP rank', quantity: 2, unitPrice: 9.99, total: 19.98 },
    { productId: '655f1c2ab1e4a9d3f0c81271', name: 'Crate, big', quantity: 1, unitPrice: 8.5, total: 8.5 },
  ],
  subtotal: 28.48,
  discountCode: 'WELCOME',
  discountAmount: 0.48,
  total: 28,
  currency: 'EUR',
  createdAt: '2026-11-21T12:00:00.000Z',
  paidAt: '2026-11-21T12:01:00.000Z',
  expiresAt: '2026-11-21T13:00:00.000Z',
  email: 'steve@example.com',
  refunded: 8.5,
  chargedBack: 0,
  provider: 'stripe',
  paymentId: 'pi_1',
};

describe('An order in a CSV file', () => {
  it('writes the columns that the documentation names, in this order', () => {
    expect(ORDER_TABLE.head()).toBe(
      'id,shopId,serverId,nickname,status,paymentStatus,deliveryStatus,items,subtotal,discountCode,discountAmount,total,' +
        'currency,createdAt,paidAt,expiresAt,email,createdAtLocal,paidAtLocal,expiresAtLocal,createdDay,paidDay,' +
        'refunded,chargedBack,provider,paymentId,origin,number\r\n',
    );
  });

  it('writes all decimals of the currency, and the items in one cell', () => {
    expect(lineOf(ORDER)).toBe(
      '655f1c2ab1e4a9d3f0c81250,655f1c2ab1e4a9d3f0c81234,655f1c2ab1e4a9d3f0c81260,Steve_42,completed,paid,delivered,' +
        '"2 x VIP rank (19.98); 1 x Crate, big (8.50)",28.48,WELCOME,0.48,28.00,EUR,2026-11-21T12:00:00.000Z,' +
        '2026-11-21T12:01:00.000Z,2026-11-21T13:00:00.000Z,steve@example.com,' +
        '2026-11-21 13:00,2026-11-21 13:01,2026-11-21 14:00,2026-11-21,2026-11-21,8.50,0.00,stripe,pi_1,checkout,1042\r\n',
    );
  });

  it.each([
    ['JPY', '1500'],
    ['KWD', '1500.000'],
  ])('writes as many decimals as %s has', (currency, total) => {
    expect(lineOf({ ...ORDER, currency, total: 1500 }).split(',')).toContain(total);
  });

  it('writes the file for a spreadsheet with its separator, a byte order mark, decimal commas, and text as it is', () => {
    expect(ORDER_TABLE.head('semicolon')).toMatch(/^\uFEFFid;shopId;/);
    const names = { nickname: '76561198000000001', discountCode: '1e5', paymentId: '1e5' };
    const local = '2026-11-21 13:00;2026-11-21 13:01;2026-11-21 14:00;2026-11-21;2026-11-21';
    expect(lineOf({ ...ORDER, ...names }, 'semicolon')).toBe(
      "655f1c2ab1e4a9d3f0c81250;655f1c2ab1e4a9d3f0c81234;655f1c2ab1e4a9d3f0c81260;'76561198000000001;completed;paid;delivered;" +
        `"2 x VIP rank (19.98); 1 x Crate, big (8.50)";28,48;'1e5;0,48;28,00;EUR;2026-11-21T12:00:00.000Z;` +
        `2026-11-21T12:01:00.000Z;2026-11-21T13:00:00.000Z;steve@example.com;${local};8,50;0,00;stripe;'1e5;checkout;1042\r\n`,
    );
    expect(lineOf({ ...ORDER, ...names })).toContain(',76561198000000001,');
  });

  it('writes both hours of a night in October that a local clock shows twice with their times in UTC', () => {
    const line = (createdAt: string): string[] => lineOf({ ...ORDER, createdAt }).split(',');
    for (const createdAt of ['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z']) {
      expect(line(createdAt)).toEqual(expect.arrayContaining([createdAt, '2026-10-25 02:30', '2026-10-25']));
    }
  });

  it('writes empty cells for absent values', () => {
    const bare = {
      ...ORDER,
      serverId: null,
      items: [],
      discountCode: null,
      paidAt: null,
      email: null,
      provider: null,
      paymentId: null,
    };
    expect(lineOf(bare)).toBe(
      '655f1c2ab1e4a9d3f0c81250,655f1c2ab1e4a9d3f0c81234,,Steve_42,completed,paid,delivered,,28.48,,0.48,28.00,EUR,' +
        '2026-11-21T12:00:00.000Z,,2026-11-21T13:00:00.000Z,,2026-11-21 13:00,,2026-11-21 14:00,2026-11-21,,8.50,0.00,,,checkout,1042\r\n',
    );
  });
});
