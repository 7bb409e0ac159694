import { ApiSchema } from '@nestjs/swagger';
import { BodyToCreate } from '../../../http/validation/derived-body.js';
import { SaleFields } from './sale-fields.dto.js';

@ApiSchema({ description: 'A sale to plan. Without a scope, it reduces all products.' })
export class CreateSaleDto extends BodyToCreate(SaleFields, ['name', 'type', 'value', 'startsAt']) {}
