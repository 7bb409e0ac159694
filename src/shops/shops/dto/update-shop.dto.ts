import { ApiSchema, OmitType } from '@nestjs/swagger';
import { BodyToUpdate } from '../../../http/validation/derived-body.js';
import { ShopFields } from './shop-fields.dto.js';

@ApiSchema({ description: 'Changes of a shop: at least one setting. An absent field keeps its value.' })
export class UpdateShopDto extends BodyToUpdate(OmitType(ShopFields, ['uniqueName', 'currency'])) {}
