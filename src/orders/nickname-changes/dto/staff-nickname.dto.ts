import { ApiSchema, IntersectionType, PickType } from '@nestjs/swagger';
import { ReasonDto } from '../../staff/dto/reason.dto.js';
import { ChangeNicknameDto } from './change-nickname.dto.js';

@ApiSchema({ description: 'The new nickname of an order, and why staff change it.' })
export class StaffNicknameDto extends IntersectionType(PickType(ChangeNicknameDto, ['newNickname']), ReasonDto) {}
