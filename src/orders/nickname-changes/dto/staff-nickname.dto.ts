import { ApiSchema, IntersectionType, PickType } from '@nestjs/swagger';
import { IdField } from '../../../http/validation/fields.js';
import { ReasonDto } from '../../staff/dto/reason.dto.js';
import { ChangeNicknameDto } from './change-nickname.dto.js';

@ApiSchema({ description: 'The new nickname of an order or of one of its deliveries, and why staff change it.' })
export class StaffNicknameDto extends IntersectionType(PickType(ChangeNicknameDto, ['newNickname']), ReasonDto) {
  @IdField({
    optional: true,
    description: 'Only for this delivery: an `id` of the `deliveries` of the order. The nickname of the order stays.',
    example: '655f1c2ab1e4a9d3f0c812a0',
  })
  deliveryId?: string;
}
