export type Role = 'owner' | 'admin' | 'manager' | 'support' | 'analyst' | 'developer';

export interface User {
  readonly id: string;
  readonly email: string;
  readonly emailConfirmed: boolean;
  readonly name: string;
  readonly createdAt: string;
}

export interface SecondFactorNeeded {
  readonly secondFactor: { readonly token: string; readonly expiresAt: string };
}

export interface ShopOfMine {
  readonly _id: string;
  readonly uniqueName: string;
  readonly displayName: string;
  readonly frontEndUrl: string;
  readonly isActive: boolean;
  readonly currency: string;
  readonly currencyDecimals: number;
  readonly timezone: string;
  readonly accentColor: string | null;
  readonly role: Role;
  readonly permissions: readonly string[];
}

export interface Preferences {
  readonly language: 'en' | 'de' | null;
  readonly look: 'device' | 'light' | 'dark';
  readonly shortcuts: boolean;
}

export interface Figures {
  readonly grossRevenue: number;
  readonly refunds: number;
  readonly netRevenue: number;
  readonly orders: number;
  readonly paidOrders: number;
  readonly averageOrderValue: number | null;
  readonly uniqueBuyers: number;
}

export interface Need {
  readonly kind: string;
  readonly subject: string | null;
  readonly name: string | null;
  readonly reason: string;
  readonly since: string | null;
  readonly count: number;
  readonly action: string;
  readonly permission: string | null;
  readonly mayAct: boolean;
}

interface Period {
  readonly from: string;
  readonly to: string;
  readonly figures: Figures;
}

export interface Overview {
  readonly currency: string;
  readonly needs: readonly Need[];
  readonly checklist: readonly { readonly step: string; readonly isDone: boolean }[];
  readonly today: { readonly today: Period; readonly dayBefore: Period; readonly weekBefore: Period } | null;
  readonly orders: { readonly needsReview: number; readonly disputed: number } | null;
  readonly servers:
    | readonly {
        readonly id: string;
        readonly name: string;
        readonly status: 'online' | 'offline' | 'unknown';
        readonly players: { readonly online: number; readonly max: number } | null;
        readonly lastSeenAt: string | null;
      }[]
    | null;
  readonly deliveries:
    readonly { readonly serverId: string | null; readonly waiting: number; readonly failed: number }[] | null;
  readonly providers:
    readonly { readonly provider: string; readonly enabled: boolean; readonly canStartPayments: boolean }[] | null;
  readonly mail: { readonly destination: string; readonly isRefused: boolean } | null;
  readonly whoManages: readonly { readonly name: string; readonly role: Role }[];
  readonly generatedAt: string;
}
