
; What is called otherwise in JavaScript's grammar than in TypeScript's.
(field_definition property: (_) @name value: $function) @definition.method
(using_declaration (variable_declarator name: (identifier) @name) @definition.constant)
(formal_parameters (identifier) @local)
(class_heritage (identifier) @name @reference.implement)
(class_heritage (member_expression object: (_) @qualifier property: (_) @name @reference.implement))
(field_definition property: (_) @member value: (_) @value)
