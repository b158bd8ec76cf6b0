# Writes {"stem", R"(text)"}, lines for INPUTS to OUTPUT (cmake -P script).
set(text "")
foreach(input IN LISTS INPUTS)
  get_filename_component(stem ${input} NAME_WE)
  file(READ ${input} content)
  string(APPEND text "{\"${stem}\", R\"json(${content})json\"},\n")
endforeach()
file(WRITE ${OUTPUT} "${text}")
