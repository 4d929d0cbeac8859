; Tags of JavaScript, and what TypeScript shares with it. Captures are explained in the package sdk/treesitter; of
; several patterns on one name the first counts, so the narrow ones stand above the wide ones. $function, $class,
; $object and $members stand for values, also in parentheses and casts (see expand).
;
; Kinds that package tag does not know are for finish, which needs to know what encloses what:
;
;   block      a body or a statement whose declarations are local
;   literal    a class, an object or an object type that is not bound to a name
;   object     an object literal bound to the name before it, or to the scope
;   members    the object literal that a file exports
;   bound      a variable that holds a function
;   field      a property that holds an object
;   binding    a name in a pattern
;   static, prototype, exported, exported-class, unit, unit-class, assigned     functions and classes put somewhere
;   export     a name that is exported
;   decorator  what a definition's lines do not count
; A function called by its keyword or its arrow has no name.

; Definitions.

(function_declaration name: (identifier) @name) @definition.function
(generator_function_declaration name: (identifier) @name) @definition.function
(function_expression name: (identifier) @name) @definition.function
(generator_function name: (identifier) @name) @definition.function
(function_expression "function" @name) @definition.function
(generator_function "function" @name) @definition.function
(arrow_function "=>" @name) @definition.function

(class_declaration name: (_) @name) @definition.class
(class name: (_) @name) @definition.class
(class "class" @name) @definition.literal
(method_definition name: (_) @name) @definition.method

(variable_declarator name: (identifier) @name value: $function) @definition.bound
(variable_declarator name: (identifier) @name value: $class) @definition.class
(variable_declarator value: $object)
(lexical_declaration "let" (variable_declarator name: (identifier) @name) @definition.variable)
(lexical_declaration (variable_declarator name: (identifier) @name) @definition.constant)
(variable_declaration (variable_declarator name: (identifier) @name) @definition.variable)

; A pattern is named by its bracket; the names in it take its kind and lines.
(lexical_declaration "let" (variable_declarator name: [(object_pattern "{" @name) (array_pattern "[" @name)]) @definition.variable)
(lexical_declaration (variable_declarator name: [(object_pattern "{" @name) (array_pattern "[" @name)]) @definition.constant)
(variable_declaration (variable_declarator name: [(object_pattern "{" @name) (array_pattern "[" @name)]) @definition.variable)
(object_pattern (shorthand_property_identifier_pattern) @name @definition.binding)
(object_assignment_pattern left: (shorthand_property_identifier_pattern) @name @definition.binding)
(pair_pattern value: (identifier) @name @definition.binding)
(array_pattern (identifier) @name @definition.binding)
(assignment_pattern left: (identifier) @name @definition.binding)
(rest_pattern (identifier) @name @definition.binding)

(export_statement "default" @name value: $function) @definition.function
(export_statement "default" @name value: $class) @definition.class
(export_statement "default" @scope value: $object)

(pair key: (_) @name value: $function) @definition.method
(pair key: (_) @name value: $class) @definition.class
(pair key: (_) @name value: $object) @definition.field
(pair value: $object)

; Definitions by assignment.
(assignment_expression left: (member_expression object: (identifier) @of property: (_) @name)
  right: $function (#eq? @of "exports")) @definition.exported
(assignment_expression left: (member_expression object: (identifier) @of property: (_) @name)
  right: (assignment_expression right: $function) (#eq? @of "exports")) @definition.exported
(assignment_expression left: (member_expression object: (identifier) @of property: (_) @name)
  right: (assignment_expression right: (assignment_expression right: $function))
  (#eq? @of "exports")) @definition.exported
(assignment_expression left: (member_expression object: (member_expression) @of property: (_) @name)
  right: $function (#eq? @of "module.exports")) @definition.exported
(assignment_expression left: (member_expression object: (member_expression) @of property: (_) @name)
  right: (assignment_expression right: $function) (#eq? @of "module.exports")) @definition.exported
(assignment_expression left: (member_expression object: (member_expression) @of property: (_) @name)
  right: (assignment_expression right: (assignment_expression right: $function))
  (#eq? @of "module.exports")) @definition.exported
(assignment_expression left: (member_expression object: [(identifier) (member_expression)] @of property: (_) @name)
  right: $class (#any-of? @of "exports" "module.exports")) @definition.exported-class
(assignment_expression left: (member_expression object: [(identifier) (member_expression)] @of property: (_) @name)
  right: (assignment_expression right: $class) (#any-of? @of "exports" "module.exports")) @definition.exported-class
(assignment_expression left: (member_expression) @name right: $function (#eq? @name "module.exports")) @definition.unit
(assignment_expression left: (member_expression) @name right: $class (#eq? @name "module.exports")) @definition.unit-class
(assignment_expression left: (member_expression) @of right: $members (#eq? @of "module.exports"))
(assignment_expression left: (member_expression) @of right: (object (shorthand_property_identifier) @name @definition.export)
  (#eq? @of "module.exports"))
(assignment_expression left: (member_expression object: (member_expression object: (identifier) @scope property: (_) @of) property: (_) @name)
  right: $function (#eq? @of "prototype")) @definition.prototype
(assignment_expression left: (member_expression object: (identifier) @scope property: (_) @of)
  right: $object (#eq? @of "prototype"))
(assignment_expression left: (member_expression object: (identifier) @scope property: (_) @name) right: $function) @definition.static
(assignment_expression left: (identifier) @name right: $function) @definition.assigned
(assignment_expression left: (member_expression property: (_) @name) right: $function) @definition.assigned

(object "{" @name) @definition.literal

(export_statement (export_clause (export_specifier name: (identifier) @name @definition.reexport)) source: (_))
(export_specifier name: (identifier) @name @definition.export)
(export_statement "default" value: (identifier) @name @definition.export)

; Where names are local.
(statement_block "{" @name) @definition.block
(switch_body "{" @name) @definition.block
(for_statement "(" @name) @definition.block
(for_in_statement "(" @name) @definition.block
(if_statement condition: (_ "(" @name)) @definition.block
(while_statement condition: (_ "(" @name)) @definition.block
(labeled_statement ":" @name) @definition.block

(decorator "@" @name) @definition.decorator

; Imports. The names are read from the text of the clause or pattern.
(import_statement (import_clause) @import.name source: (_) @import.module) @import
(import_statement source: (_) @import.module) @import
(export_statement [(export_clause) (namespace_export) "*"] @import.name source: (_) @import.module) @import

(lexical_declaration (variable_declarator name: (_) @import.name @import.local value: $require)
  (#eq? @of "require")) @import
(lexical_declaration (variable_declarator name: (_) @import.name @import.local value: (member_expression object: $require
  property: (_) @import.name)) (#eq? @of "require")) @import
(lexical_declaration (variable_declarator name: (_) @import.name @import.local value: (await_expression $import))) @import

(variable_declaration (variable_declarator name: (_) @import.name @import.local value: $require)
  (#eq? @of "require")) @import
(variable_declaration (variable_declarator name: (_) @import.name @import.local value: (member_expression object: $require
  property: (_) @import.name)) (#eq? @of "require")) @import
(variable_declaration (variable_declarator name: (_) @import.name @import.local value: (await_expression $import))) @import

(expression_statement (assignment_expression left: (member_expression object: [(identifier) (member_expression)] @left property: (_) @import.name @import.local)
  right: $require) (#eq? @of "require") (#any-of? @left "exports" "module.exports")) @import
(expression_statement (assignment_expression left: (member_expression) @import.name @import.local right: $require)
  (#eq? @of "require") (#eq? @import.name "module.exports")) @import
(expression_statement (assignment_expression left: (member_expression object: [(identifier) (member_expression)] @left property: (_) @import.name @import.local)
  right: (member_expression object: $require property: (_) @import.name))
  (#eq? @of "require") (#any-of? @left "exports" "module.exports")) @import
(call_expression function: (identifier) @of arguments: (arguments [(string) (template_string)] @import.module)
  (#eq? @of "require")) @import
(call_expression function: (import) arguments: (arguments [(string) (template_string)] @import.module)) @import

; Names that a function declares for itself.
(arrow_function parameter: (identifier) @local)
(rest_pattern (identifier) @local)
(object_pattern (shorthand_property_identifier_pattern) @local)
(object_assignment_pattern left: (shorthand_property_identifier_pattern) @local)
(pair_pattern value: (identifier) @local)
(array_pattern (identifier) @local)
(assignment_pattern left: (identifier) @local)
(variable_declarator name: (identifier) @local value: (_) @value)
(variable_declarator name: (identifier) @local)
(for_in_statement left: (identifier) @local right: (_) @holder)
(catch_clause parameter: (identifier) @local)

; What fields, results and variables are made of, and what classes are based on.
(class_heritage [(identifier) (member_expression)] @base)
(variable_declarator name: (identifier) @member value: [(new_expression) (call_expression) (member_expression) (identifier)] @value)
(assignment_expression left: (member_expression object: (this) @owner property: (_) @member) right: (_) @value)
(return_statement (_) @result)

; What a file exports as a whole.
(export_statement "default" @member value: (identifier) @value)
(assignment_expression left: (member_expression) @member right: (identifier) @value (#eq? @member "module.exports"))

; References. A qualifier that is an expression says that the name is a member of something unknown.
(decorator (identifier) @name @reference.decorator)
(decorator (member_expression object: (_) @qualifier property: (_) @name @reference.decorator))
(decorator (call_expression function: (identifier) @name @reference.decorator))
(decorator (call_expression function: (member_expression object: (_) @qualifier property: (_) @name @reference.decorator)))

(call_expression function: [
  (identifier) @name
  (parenthesized_expression (identifier) @name)
  (await_expression (identifier) @name)
  (member_expression object: (_) @qualifier property: (_) @name)
  (parenthesized_expression (member_expression object: (_) @qualifier property: (_) @name))
]) @reference.call
(new_expression constructor: [
  (identifier) @name
  (member_expression object: (_) @qualifier property: (_) @name)
  (parenthesized_expression (identifier) @name)
]) @reference.call
(member_expression object: (_) @qualifier property: (_) @name @reference.read)

; A name given as a value: a callback, an assigned constant, an operand.
(arguments (identifier) @name @reference.read)
(array (identifier) @name @reference.read)
(arrow_function body: (identifier) @name @reference.read)
(assignment_expression right: (identifier) @name @reference.read)
(assignment_pattern right: (identifier) @name @reference.read)
(await_expression (identifier) @name @reference.read)
(binary_expression (identifier) @name @reference.read)
(member_expression object: (identifier) @name @reference.read)
(object (shorthand_property_identifier) @name @reference.read)
(pair value: (identifier) @name @reference.read)
(parenthesized_expression (identifier) @name @reference.read)
(return_statement (identifier) @name @reference.read)
(spread_element (identifier) @name @reference.read)
(subscript_expression object: (identifier) @name @reference.read)
(subscript_expression index: (identifier) @name @reference.read)
(template_substitution (identifier) @name @reference.read)
(ternary_expression (identifier) @name @reference.read)
(unary_expression (identifier) @name @reference.read)
(variable_declarator value: (identifier) @name @reference.read)
