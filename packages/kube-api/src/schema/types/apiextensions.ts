// Custom resource definitions. The notation is that of `type-table.ts`; a version's schema is kept as it is written.

export const APIEXTENSIONS_TYPES = `
CustomResourceDefinition: kind:string apiVersion:string metadata!:ObjectMeta spec!:CustomResourceDefinitionSpec
  status!:CustomResourceDefinitionStatus
CustomResourceDefinitionSpec: group!:string names!:CustomResourceDefinitionNames scope!:string
  versions!:[CustomResourceDefinitionVersion] conversion?:CustomResourceConversion preserveUnknownFields:bool
CustomResourceDefinitionNames: plural!:string singular:string shortNames:[string] kind!:string listKind:string
  categories:[string]
CustomResourceDefinitionVersion: name!:string served!:bool storage!:bool deprecated:bool deprecationWarning?:string
  schema?:CustomResourceValidation subresources?:CustomResourceSubresources
  additionalPrinterColumns:[CustomResourceColumnDefinition] selectableFields:[SelectableField]
CustomResourceValidation: openAPIV3Schema?:fields
CustomResourceSubresources: status?:CustomResourceSubresourceStatus scale?:CustomResourceSubresourceScale
CustomResourceSubresourceStatus:
CustomResourceSubresourceScale: specReplicasPath!:string statusReplicasPath!:string labelSelectorPath?:string
CustomResourceColumnDefinition: name!:string type!:string format:string description:string priority:int32 jsonPath!:string
SelectableField: jsonPath!:string
CustomResourceConversion: strategy!:string webhook?:WebhookConversion
WebhookConversion: clientConfig?:WebhookClientConfig conversionReviewVersions!:[string]
WebhookClientConfig: url?:string service?:ServiceReference caBundle:bytes
ServiceReference: namespace!:string name!:string path?:string port?:int32
CustomResourceDefinitionStatus: conditions!:[CustomResourceDefinitionCondition|type]
  acceptedNames!:CustomResourceDefinitionNames storedVersions!:[string] observedGeneration:int64
CustomResourceDefinitionCondition: type!:string status!:string lastTransitionTime!:time reason:string message:string
  observedGeneration:int64
`;
