import { type Data, type Schemas } from '@shop-platform/client';

export type User = Schemas['UserDto'];
export type ShopOfMine = Schemas['OwnShopDto'];
/** A role that one can give. */
export type Role = Schemas['ChangeRoleDto']['role'];
export type Preferences = Data<'get', '/api/v2/auth/preferences'>;
export type Overview = Schemas['OverviewDto'];
export type Need = Schemas['NeedDto'];
/** The figures of a day. */
export type Figures = Schemas['DayFiguresDto'];
