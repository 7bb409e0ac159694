import { API_KEY_TYPES, TYPE_CEILINGS, TYPE_DESCRIPTIONS } from '../../access/api-keys/api-key.types.js';
import { MAX_NICKNAME_LENGTH } from '../../domain/buyers/nickname-pattern.js';
import { NICKNAME_PRESETS, patternOf, PRESET_DESCRIPTIONS } from '../../domain/buyers/nickname-rule.js';
import { type LimitName, LIMITS, quotaOf } from '../../domain/limits/limits.js';
import { type QuotaName, QUOTAS } from '../../domain/limits/quotas.js';
import {
  ALL_PERMISSIONS,
  impliedBy,
  PERMISSIONS,
  permissionsOfRole,
  ROLE_DESCRIPTIONS,
  ROLE_NAMES,
} from '../../domain/principal/permissions.js';
import { SHOP_EVENT_TYPES, SHOP_EVENTS } from '../../events/shop-events/shop-event.types.js';
import { type AppConfig } from '../../infrastructure/config/app-config.js';
import { LANGUAGES } from '../../lib/formats/languages.js';
import { CURRENCY_CODES, decimalsOf } from '../../lib/money/money.js';
import { type CredentialRule, type PaymentProvider } from '../../payments/providers/provider.js';
import { providersIn } from '../../payments/providers/provider-registry.js';
import { OWNER_EMAILS, WIDGETS } from '../../shops/shops/shop.types.js';
import { type MetaDto, type ProviderFieldMetaDto, type ProviderMetaDto } from './dto/meta.dto.js';

function toProviderFieldDto(rule: CredentialRule): ProviderFieldMetaDto {
  return {
    name: rule.name,
    description: rule.says,
    pattern: rule.pattern.source,
    required: rule.optional !== true && rule.generate === undefined,
    paymentsNeedIt: rule.paymentsNeedIt === true,
    generated: rule.generate !== undefined,
    readFromProvider: rule.readWith !== undefined,
  };
}

function toProviderDto(provider: PaymentProvider): ProviderMetaDto {
  return {
    name: provider.name,
    title: provider.title,
    brand: provider.brand,
    isForTests: provider.isForTests === true,
    fields: provider.credentials.map(toProviderFieldDto),
    webhookEvents: [...provider.events],
    registersWebhook: provider.webhooks !== undefined,
    refunds: provider.refund !== undefined,
  };
}

/** The catalogues that the service itself uses, so that no client copies one of them from the documentation. */
export function toMetaDto(config: Pick<AppConfig, 'environment' | 'rateLimitFactor' | 'quotas'>): MetaDto {
  return {
    permissions: ALL_PERMISSIONS.map((name) => ({
      name,
      description: PERMISSIONS[name],
      implies: [...impliedBy(name)],
    })),
    roles: ROLE_NAMES.map((name) => ({
      name,
      description: ROLE_DESCRIPTIONS[name],
      permissions: ALL_PERMISSIONS.filter((permission) => permissionsOfRole(name).has(permission)),
    })),
    keyTypes: API_KEY_TYPES.map((name) => ({
      name,
      description: TYPE_DESCRIPTIONS[name],
      permissions: [...TYPE_CEILINGS[name]],
    })),
    events: SHOP_EVENT_TYPES.map((name) => ({ name, ...SHOP_EVENTS[name] })),
    providers: providersIn(config).map(toProviderDto),
    currencies: CURRENCY_CODES.map((code) => ({ code, decimals: decimalsOf(code) })),
    nicknameRules: NICKNAME_PRESETS.map((preset) => ({
      preset,
      description: PRESET_DESCRIPTIONS[preset],
      pattern: preset === 'custom' ? null : patternOf({ preset, pattern: null }),
      maxLength: MAX_NICKNAME_LENGTH,
    })),
    languages: [...LANGUAGES],
    ownerEmails: [...OWNER_EMAILS],
    widgets: [...WIDGETS],
    rateLimits: (Object.keys(LIMITS) as LimitName[]).map((name) => ({
      name,
      description: LIMITS[name].description,
      quota: quotaOf(name, config.rateLimitFactor),
      windowSeconds: LIMITS[name].windowSeconds,
    })),
    quotas: (Object.keys(QUOTAS) as QuotaName[]).map((name) => ({
      name,
      description: QUOTAS[name].description,
      quota: config.quotas[name],
    })),
  };
}
