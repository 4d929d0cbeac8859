; Elements of the grammars that know them: names in capitals and members are components.
(jsx_opening_element name: (identifier) @name @reference.jsx (#match? @name "^[^a-z]"))
(jsx_opening_element name: (member_expression object: (_) @qualifier property: (_) @name @reference.jsx))
(jsx_self_closing_element name: (identifier) @name @reference.jsx (#match? @name "^[^a-z]"))
(jsx_self_closing_element name: (member_expression object: (_) @qualifier property: (_) @name @reference.jsx))
(jsx_expression (identifier) @name @reference.read)

