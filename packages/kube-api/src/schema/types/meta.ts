// Object metadata, conditions and selectors. The notation is that of `type-table.ts`.

export const META_TYPES = `
Condition: type!:string status!:string observedGeneration:int64 lastTransitionTime!:time reason!:string
  message!:string
LabelSelector!: matchLabels:{string} matchExpressions:[LabelSelectorRequirement]
LabelSelectorRequirement: key!:string operator!:string values:[string]
ManagedFieldsEntry: manager:string operation:string apiVersion:string time?:time fieldsType:string fieldsV1?:fields
  subresource:string
ObjectMeta: name:string generateName:string namespace:string selfLink:string uid:string resourceVersion:string
  generation:int64 creationTimestamp:time deletionTimestamp?:time deletionGracePeriodSeconds?:int64 labels:{string}
  annotations:{string} ownerReferences:[OwnerReference|uid^uid] finalizers:[string|^]
  managedFields:[ManagedFieldsEntry]
OwnerReference!: apiVersion!:string kind!:string name!:string uid!:string controller?:bool blockOwnerDeletion?:bool
`;
