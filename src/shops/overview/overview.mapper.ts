import { toMajor } from '../../lib/money/money.js';
import { type ComparedDaysDto, type DayFiguresDto } from './dto/compared-days.dto.js';
import { type OverviewDto } from './dto/overview.dto.js';
import { type DayFigures, NEED_KINDS, type Overview, type OverviewSections } from './overview.types.js';

function toDayFiguresDto(figures: DayFigures, currency: string): DayFiguresDto {
  const { grossRevenue, refunds, netRevenue, averageOrderValue, orders, paidOrders, uniqueBuyers } = figures;
  return {
    grossRevenue: toMajor(grossRevenue, currency),
    refunds: toMajor(refunds, currency),
    netRevenue: toMajor(netRevenue, currency),
    orders,
    paidOrders,
    averageOrderValue: averageOrderValue === null ? null : toMajor(averageOrderValue, currency),
    uniqueBuyers,
  };
}

function toComparedDaysDto(days: OverviewSections['today'], currency: string): ComparedDaysDto {
  const toDayDto = ({ from, to, figures }: OverviewSections['today']['today']): ComparedDaysDto['today'] => ({
    from: from.toISOString(),
    to: to.toISOString(),
    figures: toDayFiguresDto(figures, currency),
  });
  return { today: toDayDto(days.today), dayBefore: toDayDto(days.dayBefore), weekBefore: toDayDto(days.weekBefore) };
}

/** A section is null for a caller who lacks its permission. */
export function toOverviewDto({
  currency,
  sections,
  needs,
  checklist,
  whoManages,
  generatedAt,
}: Overview): OverviewDto {
  const { today, orders, servers, deliveries, providers, webhooks, domain, mail } = sections;
  return {
    needs: needs.map(({ kind, subject, name, reason, since, count, mayAct }) => ({
      kind,
      subject,
      name,
      reason,
      since: since?.toISOString() ?? null,
      count,
      ...NEED_KINDS[kind],
      mayAct,
    })),
    checklist: checklist.map(({ step, isDone }) => ({ step, isDone })),
    currency,
    today: today === undefined ? null : toComparedDaysDto(today, currency),
    orders: orders === undefined ? null : { ...orders },
    servers:
      servers?.map(({ id, name, status, players, lastSeenAt }) => ({
        id,
        name,
        status,
        players: players && { online: players.online, max: players.max },
        lastSeenAt: lastSeenAt?.toISOString() ?? null,
      })) ?? null,
    deliveries: deliveries?.map(({ serverId, waiting, failed }) => ({ serverId, waiting, failed })) ?? null,
    providers:
      providers?.map(({ provider, enabled, canStartPayments, failingSince, lastEventAt }) => ({
        provider,
        enabled,
        canStartPayments,
        failingSince: failingSince?.toISOString() ?? null,
        lastEventAt: lastEventAt?.toISOString() ?? null,
      })) ?? null,
    webhooks: webhooks === undefined ? null : { ...webhooks },
    domain: domain ? { ...domain } : null,
    mail: mail === undefined ? null : { ...mail },
    whoManages: whoManages.map(({ name, role }) => ({ name, role })),
    generatedAt: generatedAt.toISOString(),
  };
}
