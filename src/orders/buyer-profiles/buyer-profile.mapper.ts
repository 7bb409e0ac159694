import { type ShopContext } from '../../domain/principal/auth-context.js';
import { toMajor } from '../../lib/money/money.js';
import { toBanDto } from '../bans/ban.mapper.js';
import { disputesOf } from '../settling/disputes.js';
import { paymentOf } from '../settling/payment-events.js';
import { type DisputedOrder, type ListedProfile, type ProfileDetails } from './buyer-profile.types.js';
import { type BuyerDetailsDto, type BuyerDisputeDto, type BuyerDto } from './dto/buyer-profile.dto.js';

type Reader = Pick<ShopContext, 'readsBuyers'>;

/** A plugin key reads no address, and nothing that staff wrote. */
export function toBuyerDto({ profile, isBanned }: ListedProfile, { readsBuyers }: Reader): BuyerDto {
  const { key, kind, nickname, email, orders, paidOrders, money, note } = profile;
  return {
    key,
    kind,
    nickname,
    email: readsBuyers ? email : null,
    orders,
    paidOrders,
    totals: Object.entries(money).map(([currency, { paidMinor, refundedMinor, chargedBackMinor }]) => ({
      currency,
      paid: toMajor(paidMinor, currency),
      refunded: toMajor(refundedMinor, currency),
      chargedBack: toMajor(chargedBackMinor, currency),
      total: toMajor(paidMinor - refundedMinor - chargedBackMinor, currency),
    })),
    firstPurchaseAt: profile.firstPurchaseAt?.toISOString() ?? null,
    lastPurchaseAt: profile.lastPurchaseAt?.toISOString() ?? null,
    lastOrderAt: profile.lastOrderAt?.toISOString() ?? null,
    isBanned,
    hasNote: note !== null,
  };
}

export function toBuyerDetailsDto({ profile, links, bans, disputes }: ProfileDetails, reader: Reader): BuyerDetailsDto {
  const now = new Date();
  const isBanned = bans.some(({ until }) => until === null || until > now);
  const { note } = profile;
  return {
    ...toBuyerDto({ profile, isBanned }, reader),
    links: links.map(({ key, kind, shown }) => ({ key, kind, name: shown })),
    bans: bans.map((ban) => toBanDto(ban, reader)),
    disputes: disputes.flatMap(toDisputeDtos),
    note: reader.readsBuyers && note !== null ? { ...note, at: note.at.toISOString() } : null,
  };
}

function toDisputeDtos({ id: orderId, number, payments }: DisputedOrder): BuyerDisputeDto[] {
  const names = new Set(payments.map(paymentOf));
  return [...names].flatMap((name) => {
    const events = payments.filter((event) => paymentOf(event) === name);
    const currency = events.find(({ type }) => type.startsWith('dispute.'))?.currency ?? '';
    return disputesOf(events).disputes.map(({ state, amountMinor, openedAt, at }) => ({
      orderId,
      number,
      state,
      amount: toMajor(amountMinor, currency),
      currency,
      openedAt: openedAt.toISOString(),
      changedAt: at.toISOString(),
    }));
  });
}
